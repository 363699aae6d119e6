//! The bounds hold: no simulation, under any strategy, is faster; and some are as fast.

use interlock_simulator::{Load, Machine, Order, Setting, Stock, shipped};

use crate::tiny;

/// Numbers from a linear congruence (Knuth's constants): the same ones every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn seconds(&mut self) -> f64 {
        self.below(300) as f64 / 100.0
    }
}

/// A machine with costs from anywhere.
fn machine(numbers: &mut Numbers) -> Machine {
    let n = numbers;
    let kernel = |n: &mut Numbers| {
        let upload = if n.below(2) == 0 {
            String::new()
        } else {
            format!("upload = {{ bytes = \"{}MiB\" }}\n", n.below(2000))
        };
        format!(
            "[[compute]]\nname = \"k\"\nseconds = {}\nmemory = {{ bytes = \"{}MiB\" }}\nafter_prepare = {}\n{upload}",
            n.seconds(),
            n.below(2000),
            n.below(2) == 0
        )
    };
    let text = format!(
        "name = \"any\"\nconstraints = 1000\n[cpu]\ncores = {}\ncontention = {}\n[host]\nmemory = \"1TiB\"\npartition = {{ bytes = \"1GiB\" }}\n\
         [device]\nmemory = \"{}MiB\"\n[link]\ncapacity = {}\npinned = {}\nunpinned = 0.5\n\
         [[synthesis]]\nname = \"w\"\nseconds = {}\n[[prepare]]\nname = \"p\"\nseconds = {}\nbeside = {}\n\
         [stage]\nupload = {{ bytes = \"{}MiB\" }}\nstaged = {{ bytes = \"{}MiB\" }}\npinned = {}\ndrop_seconds = 0.01\n{}{}{}\
         [[finish]]\nname = \"f\"\nseconds = {}\nthreads = 1\n",
        1 + n.below(8),
        n.below(100) as f64 / 1000.0,
        2000 + n.below(4000),
        1.0 + n.seconds(),
        0.5 + n.seconds(),
        n.seconds() * 3.0,
        n.seconds(),
        n.below(2) == 0,
        n.below(3000),
        1 + n.below(2000),
        n.below(2) == 0,
        kernel(n),
        kernel(n),
        kernel(n),
        n.seconds(),
    );
    Machine::parse("any", &text).unwrap()
}

#[test]
fn nothing_is_faster_than_the_bounds() {
    let mut numbers = Numbers(7);
    let (mut least, mut tight) = (f64::INFINITY, 0);
    for round in 0..600 {
        let machine = machine(&mut numbers);
        let strategy = ["whole", "narrow", "prestage", "two-lock", "ledger"][round % 5];
        let load = Load {
            partitions: 1 + numbers.below(5),
            count: 1 + numbers.below(8),
            concurrency: 1 + numbers.below(4),
            devices: 1 + numbers.below(2),
            workers_per_device: 1 + numbers.below(4),
            partition_workers: 1 + numbers.below(6),
            synthesised: numbers.below(5) == 0,
            max_staged: Some(1 + numbers.below(3)),
            order: if numbers.below(2) == 0 { Order::Age } else { Order::Arrival },
            ..tiny::load(strategy)
        };
        let setting = Setting::new(machine, load);
        let outcome = setting.run(&Stock).unwrap_or_else(|error| panic!("round {round}: {error}"));
        assert_eq!(outcome.proofs().jobs.len() as u64, setting.load.count);
        let bounds = setting.bounds(&Stock).unwrap();
        // Whole microseconds: each of the steps may be rounded.
        let wall = outcome.model.wall() as f64 + 100.0;
        for (name, bound) in [
            ("cpu", bounds.cpu),
            ("device", bounds.device),
            ("memory", bounds.memory),
            ("link", bounds.link),
            ("all", bounds.all),
        ] {
            assert!(
                bound <= wall,
                "round {round}, {strategy}: {wall} is faster than the bound by {name}, {bound}: {setting:?}"
            );
            assert!(bound <= bounds.all);
        }
        least = least.min(wall / bounds.all);
        tight += usize::from(wall < bounds.all * 1.05);
    }
    // They say something: some runs are at the bound, and many near it.
    assert!(least < 1.001 && tight > 60, "{least} {tight}");
}

#[test]
fn bounds_by_hand() {
    let setting = Setting::new(tiny::machine(), Load { partitions: 4, count: 2, ..tiny::load("ledger") });
    let bounds = setting.bounds(&Stock).unwrap();
    // One proof at a time: 2 + 0.5 + 1, four times 3, 0.25.
    assert_eq!(bounds.device, 2.0 * 15_750_000.0);
    // Four syntheses of 2 s, two at once, and then the last one's phases; of the second proof as well.
    assert_eq!(bounds.cpu, 2.0 * (4.0 * 1_000_000.0 + 4_750_000.0));
    assert_eq!(bounds.link, 2.0 * (2_500_000.0 + 4_000_000.0 + 250_000.0));
    // The area: (1 GiB x 1 s + 2 x 1 + 1 x 2) of 4 GiB, four times.
    assert_eq!(bounds.memory, 2.0 * (2_500_000.0 + 4.0 * 1_250_000.0 + 250_000.0));
    assert_eq!(bounds.all, bounds.device);
}

#[test]
fn shipped_scenarios_are_not_faster_either() {
    for scenario in shipped::SCENARIOS {
        let (_, setting) = shipped::open(scenario.name).unwrap();
        let (outcome, bounds) = (setting.run(&Stock).unwrap(), setting.bounds(&Stock).unwrap());
        let share = bounds.all / outcome.model.wall() as f64;
        assert!((0.97..=1.0).contains(&share), "{}: {share}", scenario.name);
        assert!(!outcome.exceeds_host(), "{}", scenario.name);
    }
}
