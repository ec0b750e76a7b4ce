import { ModernFakeTimers } from '@jest/fake-timers';
import { patient } from '../patient.ts';
import { processorSeconds, recordProcessorTime } from './processor-time.ts';

type FakeTimersConfig = ConstructorParameters<typeof ModernFakeTimers>[0]['config'];

/** The events of jest-circus before a hook and before a test, and what they limit. */
type TestEvent = { readonly name: string; readonly hook?: Limited; readonly test?: Limited };
type Limited = { timeout?: number | null };

/** A time limit ends a test that hangs; it must not end one that shares the processor. */
const slackMin = 3;

/** Globals that Jest or a test file replaces. */
const replaced = ['console', 'fetch'] as const;

/**
 * The worker itself as test environment: no vm context, so that test files share the loaded product code and packages.
 * The globals that a file replaces are restored after it.
 */
export default class ProcessEnvironment {
	readonly global = globalThis;
	readonly fakeTimersModern: ModernFakeTimers;
	readonly #originals = replaced.map((name) => [name, globalThis[name]] as const);
	readonly #exit = process.exit;
	readonly #quietMs = new WeakMap<Limited, number>();
	readonly #secondsBefore = processorSeconds();
	readonly #file: string;

	constructor({ projectConfig }: { projectConfig: FakeTimersConfig }, { testPath }: { testPath: string }) {
		this.#file = testPath;
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
	}

	async setup(): Promise<void> {}

	handleTestEvent({ name, hook, test }: TestEvent, { testTimeout }: { readonly testTimeout: number }): void {
		const limited = name === 'hook_start' ? hook : name === 'test_start' ? test : undefined;
		if (limited === undefined) return;
		// A hook of each test starts many times.
		const quietMs = this.#quietMs.get(limited) ?? limited.timeout ?? testTimeout;
		this.#quietMs.set(limited, quietMs);
		limited.timeout = Math.max(slackMin * quietMs, patient(quietMs));
	}

	async teardown(): Promise<void> {
		this.fakeTimersModern.dispose();
		for (const [name, original] of this.#originals) Reflect.set(globalThis, name, original);
		process.exit = this.#exit;
		recordProcessorTime(this.#file, processorSeconds() - this.#secondsBefore);
	}

	getVmContext(): null {
		return null;
	}
}
