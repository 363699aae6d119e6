// A judge of exported contracts and calldata: one process that answers many questions.
//
//     node tests/tools/evm/evm.mjs         (after install.mjs and `cargo xtask snarkjs`)
//
// A line of standard input is a request, a line of standard output its answer, both JSON, in order:
//
//     {"op":"calldata","proof":PATH,"public":PATH}   → {"ok":TEXT}: snarkjs' own
//     {"op":"deploy","source":TEXT,"name":NAME,"precompiles":BOOL}
//                                                    → {"ok":ID}; warnings of the compiler are failures
//     {"op":"call","contract":ID,"calldata":TEXT}    → {"ok":{"accepted":BOOL,"gas":N}}
//
// `call` takes the text of `snarkjs zkey export soliditycalldata` and calls the contract's one external function. A call
// that reverts, or returns anything but a bool, is a failure. `precompiles` false deploys on a chain that lacks those of
// BN254 (addresses 6, 7 and 8). A failure is {"error":MESSAGE}. The process ends at the
// end of its input.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const below = (path) => createRequire(fileURLToPath(new URL(`../../../target/tools/${path}/x.cjs`, import.meta.url)));
const snarkjs = process.env.INTERLOCK_NODE_TOOLS;
const requireSnarkjs = snarkjs ? createRequire(`${snarkjs}/x.cjs`) : below("node");
const solc = below("evm")("solc");
const { createEVM } = below("evm")("@ethereumjs/evm");
const { createAddressFromString } = below("evm")("@ethereumjs/util");

const GAS = 30_000_000n;
const full = await createEVM();
// An override without a function removes a precompile.
const bare = await createEVM({
  customPrecompiles: [6, 7, 8].map((n) => ({ address: createAddressFromString(`0x${n.toString(16).padStart(40, "0")}`) })),
});
const contracts = [];

const readJson = async (path) => JSON.parse(await readFile(path, "utf8"));
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));

// The EVM's result of a message, or its exception.
async function run(evm, message) {
  const { execResult, createdAddress } = await evm.runCall({ gasLimit: GAS, ...message });
  if (execResult.exceptionError) throw new Error(`EVM: ${execResult.exceptionError.error}`);
  return { createdAddress, output: execResult.returnValue, gas: Number(execResult.executionGasUsed) };
}

function compile(source, name) {
  const input = {
    language: "Solidity",
    sources: { "contract.sol": { content: source } },
    settings: { outputSelection: { "*": { "*": ["evm.bytecode.object", "evm.methodIdentifiers"] } } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join("\n"));
  return output.contracts["contract.sol"][name].evm;
}

const operations = {
  async calldata({ proof, public: signals }) {
    const { groth16 } = requireSnarkjs("snarkjs");
    return groth16.exportSolidityCallData(await readJson(proof), await readJson(signals));
  },
  async deploy({ source, name, precompiles }) {
    const evm = precompiles ? full : bare;
    const { bytecode, methodIdentifiers } = compile(source, name);
    const selectors = Object.values(methodIdentifiers);
    if (selectors.length !== 1) throw new Error(`one external function is expected, not ${selectors.length}`);
    const { createdAddress } = await run(evm, { data: bytes(bytecode.object) });
    return contracts.push({ evm, to: createdAddress, selector: selectors[0] }) - 1;
  },
  async call({ contract, calldata }) {
    // All arguments are arrays of fixed length, which the ABI lays out one after another.
    const words = JSON.parse(`[${calldata}]`).flat(Infinity).map((word) => word.slice(2));
    const { evm, to, selector } = contracts[contract];
    const { output, gas } = await run(evm, { to, data: bytes(selector + words.join("")) });
    const value = BigInt(`0x${Buffer.from(output).toString("hex")}`);
    if (output.length !== 32 || value > 1n) throw new Error(`not a bool: ${value}`);
    return { accepted: value === 1n, gas };
  },
};

async function answer(line) {
  try {
    const request = JSON.parse(line);
    if (!Object.hasOwn(operations, request.op)) throw new Error(`unknown op: ${request.op}`);
    return { ok: await operations[request.op](request) };
  } catch (error) {
    return { error: String(error?.message ?? error) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== "") process.stdout.write(`${JSON.stringify(await answer(line))}\n`);
}
