import { banner } from './start/banner.ts';
import { bringUp } from './start/bring-up.ts';
import { readConfig } from './start/config.ts';
import { existingSignIns } from './start/demo-sign-ins.ts';
import { existingPages } from './start/existing-pages.ts';
import { StartError } from './start/start-error.ts';
import { onStopSignal } from './start/stop-signal.ts';

// `npm start`: runs the whole system on this machine until it receives a signal. The steps are in start/bring-up.ts.
process.exitCode = await run();
// A remaining pipe or timer must not keep a stopped system alive.
process.exit();

async function run(): Promise<number> {
	const stopping = new AbortController();
	const undo: (() => Promise<void>)[] = [];
	let exitCode = 0;
	const stopped = onStopSignal(stopping);
	try {
		const config = readConfig();
		const report = (line: string) => console.error(line);
		const up = await bringUp(config, report, stopping.signal, undo);
		const authDatabase = config.demo ? up.databaseUrls.get('auth') : undefined;
		const signIns = authDatabase === undefined ? undefined : await existingSignIns(authDatabase);
		console.log(banner(config, up, await existingPages(up.gatewayUrl, stopping.signal), signIns));
		await stopped;
		console.log('Stopping …');
	} catch (error) {
		if (!stopping.signal.aborted) {
			exitCode = 1;
			console.error(explain(error));
		}
	}
	for (const step of undo.reverse()) {
		try {
			await step();
		} catch (error) {
			exitCode = 1;
			console.error(explain(error));
		}
	}
	if (exitCode === 0) console.log('Stopped.');
	return exitCode;
}

/** One line for failures that the operator can fix; any other error is a bug and keeps its stack. */
function explain(error: unknown): string {
	if (error instanceof StartError) return error.message.replace(/\s*\n\s*/g, ' ');
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
