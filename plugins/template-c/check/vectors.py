#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes check/vectors_*.h: known answers by big integers and affine textbook formulas, which share nothing with the C.

`make check` needs only the headers that lie here; run this when you want other answers.
"""
import hashlib
import os

CURVES = {
    "bn254": dict(
        number=1, limbs=4, multiplicative=5,
        p=0x30644E72E131A029B85045B68181585D97816A916871CA8D3C208C16D87CFD47,
        r=0x30644E72E131A029B85045B68181585D2833E84879B9709143E1F593F0000001,
        g1=((1, 0), (2, 0)),
        g2=((10857046999023057135944570762232829481370756359578518086990519993285655852781,
             11559732032986387107991004021392285783925812861821192530917403151452391805634),
            (8495653923123431417604973247489272438418190587263600148770280649306958101930,
             4082367875863433681332203403145435568316851327593401208105741076214120093531)),
        # y² = x³ + 3, and the twist's y² = x³ + 3/(9 + u), as (numerator, denominator)
        b1=((3, 0), (1, 0)), b2=((3, 0), (9, 1))),
    "bls12_381": dict(
        number=2, limbs=6, multiplicative=7,
        p=0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB,
        r=0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001,
        g1=((0x17F1D3A73197D7942695638C4FA9AC0FC3688C4F9774B905A14E3A3F171BAC586C55E83FF97A1AEFFB3AF00ADB22C6BB, 0),
            (0x08B3F481E3AAA0F1A09E30ED741D8AE4FCF5E095D5D00AF600DB18CB2C04B3EDD03CC744A2888AE40CAA232946C5E7E1, 0)),
        g2=((0x024AA2B2F08F0A91260805272DC51051C6E47AD4FA403B02B4510B647AE3D1770BAC0326A805BBEFD48056C8C121BDB8,
             0x13E02B6052719F607DACD3A088274F65596BD0D09920B61AB5DA61BBDC7F5049334CF11213945D57E5AC7D055D042B7E),
            (0x0CE5D527727D6E118CC9CDC6DA2E351AADFD9BAA8CBDD3A76D429A695160D12C923AC9CC3BACA289E193548608B82801,
             0x0606C4A02EA734CC32ACD2B02BC28B99CB3E287E85A763AF267492AB572E99AB3F370D275CEC1DA1AAA9075FF05F79BE)),
        b1=((4, 0), (1, 0)), b2=((4, 4), (1, 0))),
}

# (name, bases, scalars): digits are positions in the pools below.
SUMS = [
    ("nothing", "", ""), ("one term", "0", "6"), ("all zero", "0123", "0000"), ("all one", "0123", "1111"),
    ("all r - 1", "0123", "3333"), ("each kind", "01230123", "01234567"), ("P and P, ones", "00", "11"),
    ("P and P", "00", "66"), ("P and -P", "04", "66"), ("P and -P, unlike", "0404", "6765"),
    ("infinity between", "05152535", "67676767"), ("only infinity", "555", "671"), ("ends at infinity", "00", "13"),
    ("for an index", "012", "146"), ("one point often", "00000000", "66666666"),
]
LONG_SUM, LONG_NTT, LONG_AT = 1500, 512, [0, 1, 2, 255, 511]


class Curve:
    def __init__(self, name, **parts):
        self.name = name
        self.__dict__.update(parts)

    def number_from(self, label, modulus):
        return int.from_bytes(hashlib.sha512(f"{self.name} {label}".encode()).digest(), "big") % modulus

    # The quadratic extension, u² = −1; G1's coordinates are those with second part 0.
    def mul(self, a, b):
        return ((a[0] * b[0] - a[1] * b[1]) % self.p, (a[0] * b[1] + a[1] * b[0]) % self.p)

    def sub(self, a, b):
        return ((a[0] - b[0]) % self.p, (a[1] - b[1]) % self.p)

    def inv(self, a):
        norm = pow(a[0] * a[0] + a[1] * a[1], -1, self.p)
        return (a[0] * norm % self.p, -a[1] * norm % self.p)

    def neg(self, point):
        return None if point is None else (point[0], self.sub((0, 0), point[1]))

    def add(self, a, b):
        if a is None or b is None:
            return b if a is None else a
        if a[0] == b[0]:
            if a[1] != b[1]:
                return None
            slope = self.mul(self.mul((3, 0), self.mul(a[0], a[0])), self.inv(self.mul((2, 0), a[1])))
        else:
            slope = self.mul(self.sub(b[1], a[1]), self.inv(self.sub(b[0], a[0])))
        x = self.sub(self.sub(self.mul(slope, slope), a[0]), b[0])
        return (x, self.sub(self.mul(slope, self.sub(a[0], x)), a[1]))

    def times(self, k, point):
        total = None
        for bit in bin(k)[2:]:
            total = self.add(total, total)
            if bit == "1":
                total = self.add(total, point)
        return total

    def check(self, point, b):
        x, y = point
        rest = self.sub(self.mul(y, y), self.mul(x, self.mul(x, x)))
        assert self.mul(rest, b[1]) == b[0] and self.times(self.r, point) is None, self.name

    # Wire encodings.
    def element(self, value):
        return (value * (1 << 64 * self.limbs) % self.p).to_bytes(8 * self.limbs, "little")

    def wire(self, point, degree):
        if point is None:
            return bytes(2 * 8 * self.limbs * degree)
        return b"".join(self.element(part) for coordinate in point for part in coordinate[:degree])

    def canonical(self, values):
        return b"".join((v % self.r).to_bytes(32, "little") for v in values)

    def montgomery(self, values):
        return self.canonical(v * (1 << 256) for v in values)

    def root(self, size):
        return pow(self.multiplicative, (self.r - 1) // size, self.r)


def splitmix(state):
    """The generator of check/vectors.c: Steele, Lea, Flood 2014."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        yield z ^ (z >> 31)


def long_scalars():
    stream = splitmix(1)
    for _ in range(LONG_SUM):
        kind, limbs = next(stream) % 4, [next(stream) for _ in range(4)]
        limbs[3] >>= 3
        yield kind if kind < 2 else sum(limb << (64 * i) for i, limb in enumerate(limbs))


def transform(c, values, op, shift):
    n, r = len(values), c.r
    w = c.root(n)
    if op == 0:
        return [sum(v * pow(w, i * j % n, r) for j, v in enumerate(values)) % r for i in range(n)]
    if op == 1:
        return [sum(v * pow(w, -i * j % n, r) for j, v in enumerate(values)) * pow(n, -1, r) % r for i in range(n)]
    if op == 2:
        return transform(c, [v * pow(shift, j, r) % r for j, v in enumerate(values)], 0, shift)
    return [v * pow(shift, -j, r) % r for j, v in enumerate(transform(c, values, 1, shift))]


def text(data):
    digits = data.hex() if isinstance(data, bytes) else data
    lines = [digits[i:i + 96] for i in range(0, len(digits), 96)] or [""]
    return "\n            ".join(f'"{line}"' for line in lines)


def header(name, parts):
    c = Curve(name, **parts)
    c.check(c.g1, c.b1)
    c.check(c.g2, c.b2)
    scalars = [0, 1, 2, c.r - 1, 2**64 - 1, 2**128 + 1, c.number_from("s6", c.r), c.number_from("s7", c.r)]
    points = {}
    for degree, generator in ((1, c.g1), (2, c.g2)):
        pool = [c.times(c.number_from(f"k{i}", c.r), generator) for i in range(4)]
        points[degree] = pool + [c.neg(pool[0]), None]

    def total(degree, terms):
        result = None
        for base, k in terms:
            result = c.add(result, c.times(k % c.r, points[degree][base]) if k % c.r else None)
        return c.wire(result, degree)

    a, b = c.number_from("a", c.p), c.number_from("b", c.p)
    per_base = [0] * 6
    for i, k in enumerate(long_scalars()):
        per_base[i * 7 % 6] += k
    shift = c.number_from("shift", c.r)
    rows = [[(0, 6), (6, 7)], [], [(7, 3), (7, 6), (1, 5)], [(3, 1)]]
    flipped = scalars[::-1]
    fields = [
        ("factors", c.element(a) + c.element(b) + c.element(c.p - 1)),
        ("products", c.element(a * b) + c.element(1) + c.element(a * (c.p - 1))),
        ("g1", b"".join(c.wire(p, 1) for p in points[1])),
        ("g2", b"".join(c.wire(p, 2) for p in points[2])),
        ("canonical", c.canonical(scalars)),
        ("montgomery", c.montgomery(scalars)),
        ("long_g1", total(1, enumerate(per_base))),
        ("long_g2", total(2, enumerate(per_base))),
        ("shift", c.montgomery([shift])),
        ("generator8", c.montgomery([c.root(8)])),
        ("generator512", c.montgomery([c.root(LONG_NTT)])),
        ("values", c.canonical(scalars[k] * (1 << 512) for row in rows for _, k in row)),
        ("rows", c.montgomery(sum(scalars[col] * scalars[k] for col, k in row) for row in rows)),
        ("multiplied", c.montgomery(x * y for x, y in zip(scalars, flipped))),
        ("multiplied_less", c.montgomery(x * y - x for x, y in zip(scalars, flipped))),
        ("scaled", c.montgomery(x * scalars[7] for x in scalars)),
    ]
    long_input = range(1, LONG_NTT + 1)
    out = ["/* SPDX-License-Identifier: MIT OR Apache-2.0 */", "/* Written by vectors.py: do not edit. */", "",
           f"static const Vectors {name}_vectors = {{", f"    .curve = {c.number},", f"    .limbs = {c.limbs},"]
    out += [f"    .{field} =\n            {text(data)}," for field, data in fields]
    out.append("    .ntt8 = {")
    out += [f"            {text(c.montgomery(transform(c, scalars, op, shift)))}," for op in range(4)]
    out.append("    },\n    .ntt512 = {")
    for op in range(4):
        result = transform(c, list(long_input), op, shift)
        out.append(f"            {text(c.canonical(result[i] for i in LONG_AT))},")
    out.append("    },\n    .sums = {")
    for case, bases, ks in SUMS:
        terms = [(int(i), scalars[int(k)]) for i, k in zip(bases, ks)]
        out.append(f'        {{"{case}", "{bases}", "{ks}",\n            {text(total(1, terms))},'
                   f"\n            {text(total(2, terms))}}},")
    out += ["    },", "};", ""]
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"vectors_{name}.h")
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(out))


for curve_name, curve_parts in CURVES.items():
    header(curve_name, curve_parts)
