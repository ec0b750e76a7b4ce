import { ModernFakeTimers } from '@jest/fake-timers';

type FakeTimersConfig = ConstructorParameters<typeof ModernFakeTimers>[0]['config'];

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

	constructor({ projectConfig }: { projectConfig: FakeTimersConfig }) {
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
	}

	async setup(): Promise<void> {}

	async teardown(): Promise<void> {
		this.fakeTimersModern.dispose();
		for (const [name, original] of this.#originals) Reflect.set(globalThis, name, original);
		process.exit = this.#exit;
	}

	getVmContext(): null {
		return null;
	}
}
