import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type ProcessEnvironment from './environment.ts';
import { setTestFunctions, type TestFunctions } from './globals.ts';

const require = createRequire(import.meta.url);
const globals = new URL('./globals.ts', import.meta.url).href;
const testModule = /\/tests?\/|\.test\.ts$/;
// Node.js itself calls these, also to talk to Jest.
const neverFaked = ['nextTick', 'queueMicrotask', 'setImmediate'] as const;
const eventHandlers = Symbol.for('EVENT_HANDLERS');
const testTimeout = Symbol.for('TEST_TIMEOUT_SYMBOL');
let files = 0;
let root = '';

registerHooks({
	resolve(specifier, context, nextResolve) {
		if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
		const resolved = nextResolve(specifier, context);
		const file = context.parentURL?.match(/\?file=\d+$/)?.[0];
		return file !== undefined && isTestModule(resolved.url)
			? { ...resolved, url: resolved.url + file }
			: resolved;
	},
});

function isTestModule(url: string): boolean {
	return url.startsWith(root) && testModule.test(url.slice(root.length));
}

/**
 * Replaces Jest's module registry: Node.js itself loads the modules of tests, anew for each file, and product code and
 * packages, once for all files of a worker. In a registry of its own each file would load and compile all of them.
 */
class NodeRuntime {
	readonly #timers: ProcessEnvironment['fakeTimersModern'];

	constructor({ rootDir }: { rootDir: string }, environment: ProcessEnvironment) {
		root = pathToFileURL(rootDir).href;
		this.#timers = environment.fakeTimersModern;
		files += 1;
	}

	unstable_shouldLoadAsEsm(): boolean {
		return true;
	}

	async unstable_importModule(path: string): Promise<unknown> {
		return await import(`${pathToFileURL(path).href}?file=${files}`);
	}

	/** Loads a module of the test framework anew: it keeps the tests of a file, some of them in the global object. */
	requireInternalModule(path: string): unknown {
		Reflect.deleteProperty(globalThis, eventHandlers);
		Reflect.deleteProperty(globalThis, testTimeout);
		delete require.cache[path];
		return require(path);
	}

	requireModule(path: string): unknown {
		return require(path);
	}

	setGlobalsForRuntime(functions: Omit<TestFunctions, 'jest'>): void {
		setTestFunctions({ ...functions, jest: jestFunctions(this.#timers) });
	}

	enterTestCode(): void {}

	leaveTestCode(): void {}

	getSourceMaps(): null {
		return null;
	}

	getAllCoverageInfoCopy(): undefined {}

	teardown(): void {}
}

/** The functions of `jest` that tests use. Modules and functions are never mocked. */
function jestFunctions(timers: ProcessEnvironment['fakeTimersModern']): object {
	return {
		setTimeout: (timeoutMs: number) => Reflect.set(globalThis, testTimeout, timeoutMs),
		useFakeTimers: (options: { now?: number } = {}) =>
			timers.useFakeTimers({ doNotFake: [...neverFaked], ...options }),
		useRealTimers: () => timers.useRealTimers(),
		setSystemTime: (now: number) => timers.setSystemTime(now),
		advanceTimersByTime: (byMs: number) => timers.advanceTimersByTime(byMs),
		advanceTimersByTimeAsync: (byMs: number) => timers.advanceTimersByTimeAsync(byMs),
		getTimerCount: () => timers.getTimerCount(),
	};
}

// Jest requires this module and expects the class.
export { NodeRuntime as 'module.exports' };
