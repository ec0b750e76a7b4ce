import { droppedLines } from '@paddock/telemetry/dropped-lines';
import { createLineOutput } from '@paddock/telemetry/line-output';

/** Maximum number of bytes that wait for a reader of the terminal. */
const waitingBytesMax = 262_144;

/** Prints texts. A terminal that is closed, full or not read loses them, which stops nothing and fills no memory. */
export function printTo(stream: NodeJS.WriteStream & { readonly fd: number }): (text: string) => void {
	const output = createLineOutput(stream);
	return (text) => {
		const lines = Buffer.from(`${text}\n`);
		if (output.waitingBytes() > waitingBytesMax) {
			droppedLines.add('blocked', 1);
			return;
		}
		const lost = droppedLines.takeUnreported();
		const note = lost === 0 ? [] : [Buffer.from(`(${lost} lines could not be printed)\n`)];
		output.write(Buffer.concat([...note, lines]), (failed) => {
			if (failed) droppedLines.returnUnreported(lost);
		});
	};
}
