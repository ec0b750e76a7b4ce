import { droppedLines } from '@paddock/telemetry/dropped-lines';
import { createLineOutput } from '@paddock/telemetry/line-output';
import { banner, existingPages, existingSignIns } from './start/banner.ts';
import { bringUp } from './start/bring-up.ts';
import { checkSettings } from './start/check-settings.ts';
import { explain } from './start/start-error.ts';
import { onStopSignal } from './start/stop-signal.ts';

/** Maximum number of bytes that wait for a reader of the terminal. */
const waitingBytesMax = 262_144;

// `npm start`: runs the whole system on this machine until it receives a signal. The steps are in start/bring-up.ts.
process.title = 'paddock start';
const print = printTo(process.stdout);
const report = printTo(process.stderr);
process.exitCode = await run();
// A remaining pipe or timer must not keep a stopped system alive.
process.exit();

async function run(): Promise<number> {
	const stopping = new AbortController();
	const undo: (() => Promise<void>)[] = [];
	let exitCode = 0;
	const stopped = onStopSignal(stopping);
	try {
		const config = await checkSettings(report, stopping.signal);
		const up = await bringUp(config, report, stopping.signal, undo);
		const authDatabase = config.demo ? up.databaseUrls.get('auth') : undefined;
		const signIns = authDatabase === undefined ? undefined : await existingSignIns(authDatabase);
		print(banner(config, up, await existingPages(up, stopping.signal), signIns));
		await stopped;
		print('Stopping …');
	} catch (error) {
		if (!stopping.signal.aborted) {
			exitCode = 1;
			report(explain(error));
		}
	}
	for (const step of undo.reverse()) {
		try {
			await step();
		} catch (error) {
			exitCode = 1;
			report(explain(error));
		}
	}
	if (exitCode === 0) print('Stopped.');
	return exitCode;
}

/** Prints texts. A terminal that is closed, full or not read loses them, which stops nothing and fills no memory. */
function printTo(stream: NodeJS.WriteStream & { readonly fd: number }): (text: string) => void {
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
