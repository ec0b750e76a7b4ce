/** The test functions as tests import them from @jest/globals, which declares their types; see runtime.ts. */
export interface TestFunctions {
	readonly afterAll: unknown;
	readonly afterEach: unknown;
	readonly beforeAll: unknown;
	readonly beforeEach: unknown;
	readonly describe: unknown;
	readonly expect: unknown;
	readonly it: unknown;
	readonly jest: unknown;
	readonly test: unknown;
}

export let {
	afterAll,
	afterEach,
	beforeAll,
	beforeEach,
	describe,
	expect,
	it,
	jest,
	test,
}: Partial<TestFunctions> = {};

/** Sets the functions for the file that runs next, also in modules that are loaded once for many files. */
export function setTestFunctions(functions: TestFunctions): void {
	({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = functions);
}
