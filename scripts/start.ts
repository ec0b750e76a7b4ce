import { banner, existingPages, existingSignIns } from './start/banner.ts';
import { bringUp } from './start/bring-up.ts';
import { checkSettings } from './start/check-settings.ts';
import { explain } from './start/start-error.ts';
import { onStopSignal } from './start/stop-signal.ts';
import { printTo } from './start/terminal.ts';

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
