#!/usr/bin/env python3
"""Checks the kernels' arithmetic on a CUDA device against Python's integers, and times it.

    python3 device.py FOLDER [--quick]

FOLDER is where `cargo xtask kernels` has put check.cubin and ntt.cubin.

Needs the driver alone. Exit code 0 when all agree; what differs is printed otherwise.
"""
import ctypes
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
        self.module = ctypes.c_void_p()
        self.load(cubin)

    def load(self, cubin):
        with open(cubin, "rb") as file:
            self.do("cuModuleLoadData", ctypes.byref(self.module), file.read())

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
        function = ctypes.c_void_p()
        self.do("cuModuleGetFunction", ctypes.byref(function), self.module, name.encode())
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
    sys.exit(bad != 0)


main()
