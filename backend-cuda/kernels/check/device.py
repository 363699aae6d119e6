#!/usr/bin/env python3
"""Checks the kernels' arithmetic on a CUDA device against Python's integers, and times it.

    python3 device.py FOLDER [--quick]

FOLDER is where `cargo xtask kernels` has put check.cubin and ntt.cubin.

Needs the driver alone. Exit code 0 when all agree; what differs is printed otherwise.
"""
import ctypes
import os
import random
import struct
import sys
import time

P = {
    "bls_fp": (0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB, 48),
    "bls_fr": (0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001, 32),
    "bn_fp": (21888242871839275222246405745257275088696311157297823662689037894645226208583, 32),
    "bn_fr": (21888242871839275222246405745257275088548364400416034343698204186575808495617, 32),
}
OPS = ["add", "sub", "mul", "square", "negate", "double"]


class Device:
    """The driver, as far as it is needed."""

    def __init__(self, cubin):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.do("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.do("cuDeviceGet", ctypes.byref(device), 0)
        self.do("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.do("cuCtxSetCurrent", context)
        self.modules, self.functions = [], {}
        self.load(cubin)

    def load(self, cubin):
        module = ctypes.c_void_p()
        with open(cubin, "rb") as file:
            self.do("cuModuleLoadData", ctypes.byref(module), file.read())
        self.modules.append(module)

    def do(self, name, *args):
        code = getattr(self.cuda, name)(*args)
        if code:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorName(code, ctypes.byref(text))
            sys.exit(f"{name}: {text.value}")

    def memory(self, data):
        """A copy of bytes on the device, or that many bytes."""
        size = data if isinstance(data, int) else len(data)
        place = ctypes.c_uint64()
        self.do("cuMemAlloc_v2", ctypes.byref(place), ctypes.c_size_t(size))
        if not isinstance(data, int):
            self.do("cuMemcpyHtoD_v2", place, data, ctypes.c_size_t(size))
        return place

    def read(self, place, size):
        data = ctypes.create_string_buffer(size)
        self.do("cuMemcpyDtoH_v2", data, place, ctypes.c_size_t(size))
        return data.raw

    def free(self, *places):
        for place in places:
            self.do("cuMemFree_v2", place)

    def run(self, name, count, *args, block=128, shared=0, wait=True):
        function = self.functions.get(name)
        if function is None:
            function = self.functions[name] = ctypes.c_void_p()
            # A module that has it not says so, which compute-sanitizer takes for an error unless --report-api-errors no.
            get = self.cuda.cuModuleGetFunction
            if all(get(ctypes.byref(function), module, name.encode()) for module in self.modules):
                sys.exit(f"no kernel {name}")
        if shared > 48 << 10:
            self.do("cuFuncSetAttribute", function, 8, shared)  # MAX_DYNAMIC_SHARED_SIZE_BYTES
        pointers = (ctypes.c_void_p * len(args))(*[ctypes.addressof(arg) for arg in args])
        grid = (count + block - 1) // block
        self.do("cuLaunchKernel", function, grid, 1, 1, block, 1, 1, shared, None, pointers, None)
        if wait:
            self.do("cuCtxSynchronize")


def numbers(p, count, generator):
    edges = [0, 1, 2, p - 1, p - 2, (1 << 32) - 1, 1 << 32, (p - 1) // 2, (p + 1) // 2]
    return edges + [generator.randrange(p) for _ in range(count - len(edges))]


def check_field(device, name, generator, count):
    p, size = P[name]
    r = pow(1 << (8 * size), -1, p)
    a, b = numbers(p, count, generator), numbers(p, count, generator)
    generator.shuffle(b)
    pack = lambda values: b"".join(value.to_bytes(size, "little") for value in values)
    left, right, out = device.memory(pack(a)), device.memory(pack(b)), device.memory(count * size)
    expected = {
        "add": lambda x, y: (x + y) % p,
        "sub": lambda x, y: (x - y) % p,
        "mul": lambda x, y: x * y * r % p,
        "square": lambda x, y: x * x * r % p,
        "negate": lambda x, y: -x % p,
        "double": lambda x, y: 2 * x % p,
    }
    bad = 0
    for number, op in enumerate(OPS):
        n = ctypes.c_size_t(count)
        device.run(f"{name}_apply", count, ctypes.c_uint32(number), n, left, right, out)
        got = device.read(out, count * size)
        wrong = [i for i in range(count) if got[i * size:][:size] != expected[op](a[i], b[i]).to_bytes(size, "little")]
        if wrong:
            bad += 1
            print(f"{name} {op}: {len(wrong)} of {count} are wrong, the first at {wrong[0]}: {a[wrong[0]]:x}, {b[wrong[0]]:x}")
    device.free(left, right, out)
    print(f"{name}: {len(OPS) - bad} of {len(OPS)} operations on {count} pairs agree")
    return bad


CURVES = {
    "bls_g1": ("bls_fp", 4,
               0x17F1D3A73197D7942695638C4FA9AC0FC3688C4F9774B905A14E3A3F171BAC586C55E83FF97A1AEFFB3AF00ADB22C6BB,
               0x08B3F481E3AAA0F1A09E30ED741D8AE4FCF5E095D5D00AF600DB18CB2C04B3EDD03CC744A2888AE40CAA232946C5E7E1),
    "bn_g1": ("bn_fp", 3, 1, 2),
}


def plus(p, a, b):
    """Affine addition; None is infinity."""
    if a is None or b is None:
        return b if a is None else a
    if a[0] == b[0]:
        if (a[1] + b[1]) % p == 0:
            return None
        slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, p)
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, p)
    x = (slope * slope - a[0] - b[0]) % p
    return x, (slope * (a[0] - x) - a[1]) % p


def check_group(device, name, count, length):
    field, b, x, y = CURVES[name]
    p, size = P[field]
    radix = (1 << (8 * size)) % p
    assert (y * y - x * x * x - b) % p == 0
    points, last = [], (x, y)
    for i in range(count):
        # Equal ones, opposite ones and infinity among them.
        kind = i % 11
        if kind == 3:
            points.append(points[-1])
        elif kind == 7:
            points.append((last[0], -last[1] % p))
        elif kind == 9:
            points.append(None)
        else:
            last = plus(p, last, (x, y))
            points.append(last)
    wire = lambda value: (value * radix % p).to_bytes(size, "little")
    data = b"".join(bytes(2 * size) if point is None else wire(point[0]) + wire(point[1]) for point in points)
    place, out = device.memory(data), device.memory(3 * size * count)
    device.run(f"{name}_add_up", count, ctypes.c_uint32(length), ctypes.c_size_t(count), place, out)
    got = device.read(out, 3 * size * count)
    inverse, wrong = pow(radix, -1, p), 0
    for i in range(count):
        sum_ = None
        for j in range(length):
            sum_ = plus(p, sum_, points[(i + j) % count])
        jx, jy, jz = [int.from_bytes(got[(3 * i + k) * size:][:size], "little") * inverse % p for k in range(3)]
        z = pow(jz, -1, p) if jz else 0
        wrong += sum_ != (None if jz == 0 else (jx * z * z % p, jy * z * z * z % p))
    device.free(place, out)
    print(f"{name}: {count - wrong} of {count} sums of {length} points agree")
    return wrong


def check_digits(device, generator, count):
    scalars = numbers(P["bls_fr"][0], count, generator)
    place = device.memory(b"".join(value.to_bytes(32, "little") for value in scalars))
    bad = 0
    for width in range(3, 25):
        n = 255 // width + 1
        out = device.memory(4 * n * count)
        device.run("digits", count, ctypes.c_int(width), ctypes.c_size_t(count), place, out)
        got = struct.unpack(f"{n * count}i", device.read(out, 4 * n * count))
        device.free(out)
        for i, scalar in enumerate(scalars):
            digits = got[n * i:n * (i + 1)]
            half = 1 << (width - 1)
            bad += sum(d << (width * j) for j, d in enumerate(digits)) != scalar
            bad += not all(-half <= d < half for d in digits)
    device.free(place)
    print(f"digits: {bad} of {count} scalars in 22 widths are wrong")
    return bad


ROOTS = {"bls_fr": (7, 32), "bn_fr": (5, 28)}


class Transform:
    """A domain's tables on the device, and the passes of backend-cuda/kernels/ntt.cuh."""

    def __init__(self, device, field, log_size, shift, inverse):
        self.device, self.field, self.log_size, self.inverse = device, field, log_size, inverse
        p = self.p = P[field][0]
        generator, adicity = ROOTS[field]
        self.root = pow(generator, (p - 1) >> log_size, p)
        self.shift = shift
        self.low = (log_size + 1) // 2
        root, by = (pow(self.root, -1, p), pow(shift, -1, p)) if inverse else (self.root, shift)
        self.size_inverse = pow(1 << log_size, -1, p)
        self.tables = [self.powers(root, 1, self.low), self.powers(pow(root, 1 << self.low, p), 1, log_size - self.low),
                       self.powers(by, 1, self.low),
                       self.powers(pow(by, 1 << self.low, p), self.size_inverse if inverse else 1, log_size - self.low)]

    def wire(self, value):
        return (value * (1 << 256) % self.p).to_bytes(32, "little")

    def powers(self, base, factor, bits):
        place = self.device.memory(32 << bits)
        scalars = [(ctypes.c_uint8 * 32)(*self.wire(value)) for value in (base, factor)]
        self.device.run(f"{self.field}_powers", 1 << bits, place, ctypes.c_uint32(1 << bits), *scalars)
        return place

    def run(self, data, scratch, coset, wait=True):
        n = self.log_size
        passes = 1 if n == 0 else (n + 7) // 8
        stride, place = 0, data
        for i in range(passes):
            radix = n // passes + (1 if i < n % passes else 0)
            last = i + 1 == passes
            out = data if last or i % 2 else scratch
            columns = min(3, n - radix)
            struct_ = struct.pack("<QQiiiiQQiiBBBxxxxxQQii32s", place.value, out.value, n, radix, stride, 0,
                                  self.tables[0].value, self.tables[1].value, self.low, 0,
                                  i == 0 and coset and not self.inverse, last and coset and self.inverse,
                                  last and self.inverse and not coset,
                                  self.tables[2].value, self.tables[3].value, self.low, 0, self.wire(self.size_inverse))
            blocks, shared = 1 << (n - radix - columns), 32 * ((1 << (radix + columns)) + (1 << radix) // 2)
            self.device.run(f"{self.field}_ntt_pass", 256 * blocks, (ctypes.c_uint8 * len(struct_))(*struct_),
                            block=256, shared=shared, wait=wait and last)
            stride, place = stride + radix, out

    def free(self):
        self.device.free(*self.tables)


def check_transform(device, field, log_size, generator):
    """Some outputs by their definition where that is cheap, by a few coefficients that are not zero where it is not; and back."""
    p, n = P[field][0], 1 << log_size
    shift = generator.randrange(1, p)
    wire = lambda value: (value * (1 << 256) % p).to_bytes(32, "little")
    sparse = {generator.randrange(n): generator.randrange(p) for _ in range(min(n, 40))}
    given = bytearray(32 * n)
    for at, value in sparse.items():
        given[32 * at:32 * at + 32] = wire(value)
    data, scratch = device.memory(bytes(given)), device.memory(32 * n)
    wrong = 0
    for coset in (False, True):
        forward, inverse = (Transform(device, field, log_size, shift, back) for back in (False, True))
        forward.run(data, scratch, coset)
        got = device.read(data, 32 * n)
        base = shift if coset else 1
        places = {0, n - 1, n // 2} | {generator.randrange(n) for _ in range(60)}
        for k in places:
            point = base * pow(forward.root, k, p) % p
            value = sum(coefficient * pow(point, at, p) for at, coefficient in sparse.items()) % p
            wrong += got[32 * k:32 * k + 32] != wire(value)
        inverse.run(data, scratch, coset)
        wrong += device.read(data, 32 * n) != bytes(given)
        # Values that are dense come back as well.
        if log_size <= 20:
            dense = b"".join(wire(generator.randrange(p)) for _ in range(min(n, 1 << 10))) * max(1, n >> 10)
            other = device.memory(dense)
            forward.run(other, scratch, coset)
            inverse.run(other, scratch, coset)
            wrong += device.read(other, 32 * n) != dense
            device.free(other)
        forward.free()
        inverse.free()
    device.free(data, scratch)
    return wrong


def time_transform(device, field, log_size):
    n = 1 << log_size
    transform = Transform(device, field, log_size, 7, False)
    # Any values below p will do, but not zeros.
    block = b"".join(transform.wire(3 ** (i % 100) + i) for i in range(1 << 10))
    data, scratch = device.memory(block * (n >> 10)), device.memory(32 * n)
    best = 1e9
    for _ in range(4):
        start = time.perf_counter()
        for _ in range(4):
            transform.run(data, scratch, False, wait=False)
        device.do("cuCtxSynchronize")
        best = min(best, (time.perf_counter() - start) / 4)
    transform.free()
    device.free(data, scratch)
    print(f"{field} transform of 2^{log_size}: {best * 1e3:.3f} ms")


class Extension:
    """Fp2 with u² = −1, or Fp when second coordinates are 0: pairs of integers."""

    def __init__(self, p):
        self.p = p

    def mul(self, a, b):
        return (a[0] * b[0] - a[1] * b[1]) % self.p, (a[0] * b[1] + a[1] * b[0]) % self.p

    def sub(self, a, b):
        return (a[0] - b[0]) % self.p, (a[1] - b[1]) % self.p

    def inverse(self, a):
        norm = pow(a[0] * a[0] + a[1] * a[1], -1, self.p)
        return a[0] * norm % self.p, -a[1] * norm % self.p

    def plus(self, a, b):
        if a is None or b is None:
            return b if a is None else a
        if a[0] == b[0]:
            if self.sub((0, 0), b[1]) == a[1]:
                return None
            square = self.mul(a[0], a[0])
            slope = self.mul((3 * square[0], 3 * square[1]), self.inverse((2 * a[1][0] % self.p, 2 * a[1][1] % self.p)))
        else:
            slope = self.mul(self.sub(b[1], a[1]), self.inverse(self.sub(b[0], a[0])))
        x = self.sub(self.sub(self.mul(slope, slope), a[0]), b[0])
        return x, self.sub(self.mul(slope, self.sub(a[0], x)), a[1])

    def times(self, k, point):
        total = None
        while k:
            if k & 1:
                total = self.plus(total, point)
            point, k = self.plus(point, point), k >> 1
        return total


# Generators: BLS12-381's of the IETF draft on pairing-friendly curves, BN254's of EIP-197.
GENERATORS = {
    "bls_g1": ((CURVES["bls_g1"][2], 0), (CURVES["bls_g1"][3], 0)),
    "bn_g1": ((1, 0), (2, 0)),
    "bls_g2": (
        (0x024AA2B2F08F0A91260805272DC51051C6E47AD4FA403B02B4510B647AE3D1770BAC0326A805BBEFD48056C8C121BDB8,
         0x13E02B6052719F607DACD3A088274F65596BD0D09920B61AB5DA61BBDC7F5049334CF11213945D57E5AC7D055D042B7E),
        (0x0CE5D527727D6E118CC9CDC6DA2E351AADFD9BAA8CBDD3A76D429A695160D12C923AC9CC3BACA289E193548608B82801,
         0x0606C4A02EA734CC32ACD2B02BC28B99CB3E287E85A763AF267492AB572E99AB3F370D275CEC1DA1AAA9075FF05F79BE)),
    "bn_g2": (
        (10857046999023057135944570762232829481370756359578518086990519993285655852781,
         11559732032986387107991004021392285783925812861821192530917403151452391805634),
        (8495653923123431417604973247489272438418190587263600148770280649306958101930,
         4082367875863433681332203403145435568316851327593401208105741076214120093531)),
}


class Sums:
    """The steps of backend-cuda/kernels/msm.cuh over bases G, 2G … repeated."""

    DISTINCT = 1 << 10

    def __init__(self, device, group, count):
        self.device, self.group, self.count = device, group, count
        self.curve = group.split("_")[0]
        self.p, self.half = P[f"{self.curve}_fp"]
        self.r = P[f"{self.curve}_fr"][0]
        self.field = Extension(self.p)
        self.second = group.endswith("g2")
        self.bytes = self.half * (2 if self.second else 1)
        block, point = b"", None
        for _ in range(self.DISTINCT):
            point = self.field.plus(point, GENERATORS[group])
            block += self.wire(point[0]) + self.wire(point[1])
        self.bases = device.memory((block * (count // self.DISTINCT + 1))[:2 * self.bytes * count])
        log = max(count.bit_length() - 1, 1)
        self.width = min(max(log - 4, 4), 20)
        self.windows, self.buckets = 255 // self.width + 1, 1 << (self.width - 1)
        self.memory = {}

    def wire(self, element):
        radix = 1 << (8 * self.half)
        return b"".join((part * radix % self.p).to_bytes(self.half, "little") for part in element[:1 + self.second])

    def place(self, name, size):
        if name not in self.memory:
            self.memory[name] = self.device.memory(max(size, 4))
        return self.memory[name]

    def run(self, scalars):
        run, u32 = self.device.run, ctypes.c_uint32
        shape = (ctypes.c_uint32 * 2)(self.count, self.width)
        null, keys = ctypes.c_uint64(0), self.windows * self.buckets
        levels = [(self.place("counts", 4 * keys), keys)]
        while levels[-1][1] > 256:
            n = (levels[-1][1] + 255) // 256
            levels.append((self.place(f"level {len(levels)}", 4 * n), n))
        self.device.do("cuMemsetD8_v2", levels[0][0], 0, ctypes.c_size_t(4 * keys))
        run(f"{self.curve}_msm_count", self.count, shape, scalars, null, u32(0), levels[0][0], wait=False)
        for (counts, n), (sums, of) in zip(levels, levels[1:]):
            run("msm_scan_up", of, u32(n), counts, sums, wait=False)
        total = sum(struct.unpack(f"{levels[-1][1]}I", self.device.read(levels[-1][0], 4 * levels[-1][1])))
        for level in range(len(levels) - 1, -1, -1):
            counts, n = levels[level]
            before = levels[level + 1][0] if level + 1 < len(levels) else null
            run("msm_scan_down", (n + 255) // 256, u32(n), counts, before, wait=False)
        sorted_, entries = (self.place(name, 4 * self.count * self.windows) for name in ("keys", "entries"))
        run(f"{self.curve}_msm_scatter", self.count, shape, scalars, null, u32(0), levels[0][0], sorted_, entries, wait=False)
        xyzz = 4 * self.bytes
        buckets = self.place("buckets", xyzz * keys)
        self.device.do("cuMemsetD8_v2", buckets, 0, ctypes.c_size_t(xyzz * keys))
        most = 2 * ((self.count * self.windows + 31) // 32)
        lists = [(self.place(f"partial keys {i}", 4 * most), self.place(f"partials {i}", xyzz * most)) for i in range(2)]
        n = 2 * ((total + 31) // 32)
        if total:
            run(f"{self.group}_gather", n // 2, u32(total), sorted_, entries, self.bases, buckets, *lists[0], wait=False)
        turn = 0
        while n:
            runs = (n + 15) // 16
            run(f"{self.group}_merge", runs, u32(n), *lists[turn], buckets, *lists[1 - turn], wait=False)
            n, turn = 0 if n <= 16 else 2 * runs, 1 - turn
        n = (self.buckets + 31) // 32
        sums = [self.place(f"sums {i}", xyzz * n * self.windows) for i in range(2)]
        run(f"{self.group}_reduce", n * self.windows, shape, buckets, sums[0], wait=False)
        while n > 1:
            runs = (n + 15) // 16
            run(f"{self.group}_fold", runs * self.windows, u32(self.windows), u32(n), sums[0], sums[1], wait=False)
            n, sums = runs, sums[::-1]
        result = self.place("result", 3 * self.bytes)
        run(f"{self.group}_finish", 1, shape, sums[0], result)
        return self.device.read(result, 3 * self.bytes)

    def check(self, values):
        scalars = self.device.memory(b"".join(value.to_bytes(32, "little") for value in values))
        got = self.run(scalars)
        again = self.run(scalars)
        self.device.free(scalars)
        log = sum((i % self.DISTINCT + 1) * value for i, value in enumerate(values)) % self.r
        expected = self.field.times(log, GENERATORS[self.group])
        return sum(self.affine(sum_) != expected for sum_ in (got, again))

    def affine(self, jacobian):
        inverse = pow(1 << (8 * self.half), -1, self.p)
        parts = [int.from_bytes(jacobian[self.half * i:self.half * (i + 1)], "little") * inverse % self.p
                 for i in range(len(jacobian) // self.half)]
        x, y, z = [tuple(parts[2 * i:2 * i + 2]) for i in range(3)] if self.second else [(part, 0) for part in parts]
        if z == (0, 0):
            return None
        inverse = self.field.inverse(z)
        square = self.field.mul(inverse, inverse)
        return self.field.mul(x, square), self.field.mul(y, self.field.mul(square, inverse))

    def free(self):
        self.device.free(self.bases, *self.memory.values())


def check_sums(device, group, sizes, generator):
    r = P[f"{group.split('_')[0]}_fr"][0]
    equal = generator.randrange(r)
    kinds = {
        "random": lambda i: generator.randrange(r), "zero": lambda i: 0, "one": lambda i: 1, "r - 1": lambda i: r - 1,
        "equal": lambda i: equal, "below 256": lambda i: generator.randrange(256),
        "bits": lambda i: generator.randrange(r) if i % 10 == 0 else i % 2,
    }
    wrong, number = [], 0
    for count in sizes:
        sums = Sums(device, group, count)
        for kind, make in kinds.items():
            number += 2
            if sums.check([make(i) for i in range(count)]):
                wrong.append(f"{count} {kind}")
        sums.free()
    print(f"{group}: {number} sums of up to {max(sizes)} bases, {len(wrong)} wrong {wrong or ''}")
    return len(wrong)


def time_sums(device, group, log, generator):
    r, count = P[f"{group.split('_')[0]}_fr"][0], 1 << log
    sums = Sums(device, group, count)
    times = []
    equal = generator.randrange(r).to_bytes(32, "little")
    few = b"".join(generator.randrange(r).to_bytes(32, "little") for _ in range(1 << 12))
    bits = b"".join((generator.randrange(r) if i % 10 == 0 else i % 2).to_bytes(32, "little") for i in range(1 << 12))
    random_ = bytearray(os.urandom(32 * count))
    random_[31::32] = bytes(byte & 0x1F for byte in random_[31::32])
    for data in (bytes(random_), bits * (count >> 12), few[:32] * count, equal * count):
        scalars, best = device.memory(data), 1e9
        for _ in range(3):
            start = time.perf_counter()
            sums.run(scalars)
            best = min(best, time.perf_counter() - start)
        device.free(scalars)
        times.append(f"{best * 1e3:.1f}")
    sums.free()
    print(f"{group} sum of 2^{log}: {times[0]} ms random, {times[1]} nine of ten 0 or 1, {times[2]} and {times[3]} all equal")


def rate(device, name, bytes_, rounds, count):
    a = device.memory(bytes([7] + [0] * (bytes_ - 1)) * count)
    out = device.memory(bytes_ * count)
    best = 1e9
    for _ in range(4):
        start = time.perf_counter()
        device.run(name, count, ctypes.c_uint32(rounds), ctypes.c_size_t(count), a, out)
        best = min(best, time.perf_counter() - start)
    device.free(a, out)
    print(f"{name}: {rounds * count / best / 1e9:.2f} G products/s")


def main():
    device, generator = Device(f"{sys.argv[1]}/check.cubin"), random.Random(17)
    quick = "--quick" in sys.argv
    count = 2_000 if quick else 50_000
    bad = sum(check_field(device, name, generator, count) for name in P)
    bad += sum(check_group(device, name, 300, 9) for name in CURVES)
    bad += check_digits(device, generator, 300)
    for name, (_, size) in P.items():
        rate(device, f"{name}_multiply", size, 2_000, 132 * 2048)
    for name, size in (("bls_fp2", 96), ("bn_fp2", 64)):
        rate(device, f"{name}_multiply", size, 500, 132 * 2048)
    for name, (field, _, _, _) in CURVES.items():
        size = 2 * P[field][1]
        points = 132 * 2048
        x, y = CURVES[name][2:4]
        p, half = P[field]
        radix = (1 << (8 * half)) % p
        wire = lambda value: (value * radix % p).to_bytes(half, "little")
        twice = plus(p, (x, y), (x, y))
        data = (wire(x) + wire(y) + wire(twice[0]) + wire(twice[1])) * (points // 2)
        place, out = device.memory(data), device.memory(3 * half * points)
        best = 1e9
        for _ in range(4):
            start = time.perf_counter()
            device.run(f"{name}_add_up", points, ctypes.c_uint32(400), ctypes.c_size_t(points), place, out)
            best = min(best, time.perf_counter() - start)
        device.free(place, out)
        print(f"{name}_add_up: {400 * points / best / 1e9:.3f} G mixed additions/s")
    device.load(f"{sys.argv[1]}/ntt.cubin")
    for field in ROOTS:
        sizes = range(0, 13) if quick else [*range(0, 21), 22, 24]
        wrong = {n: check_transform(device, field, n, generator) for n in sizes}
        bad += sum(wrong.values())
        print(f"{field} transforms of {len(wrong)} sizes up to 2^{max(wrong)}: "
              f"{sum(wrong.values())} values are wrong {[n for n in wrong if wrong[n]] or ''}")
    for field in ROOTS:
        for log_size in () if quick else (16, 18, 20, 22, 24, 26):
            time_transform(device, field, log_size)
    device.load(f"{sys.argv[1]}/scan.cubin")
    for group in ("bls_g1", "bn_g1", "bls_g2", "bn_g2"):
        device.load(f"{sys.argv[1]}/msm_{group}.cubin")
    for group in GENERATORS:
        bad += check_sums(device, group, (1, 2, 33, 1025) if quick else (1, 2, 31, 33, 1023, 4097, 1 << 16), generator)
    for group in () if quick else GENERATORS:
        for log in (16, 18, 20, 22, 24)[:5 if group.endswith("g1") else 4]:
            time_sums(device, group, log, generator)
    sys.exit(bad != 0)


main()
