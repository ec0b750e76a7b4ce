/** An argument that is no option selects test files. */
const selectsFiles = process.argv.slice(2).some((argument) => !argument.startsWith('-'));

const wholeSystems = ['<rootDir>/tests/(?!documentation/)', '\\.system\\.test\\.ts$'];

/**
 * Without a selection the tests of whole systems are left out: those in the folders of tests/ except documentation, and files
 * called *.system.test.ts beside what they test, which run whole processes or all forwarding once more. `npm test` is run
 * often. `npm run test:all` selects every file.
 *
 * Test files are loaded by Node.js itself, see libs/testing/src/jest/runtime.ts. `npm test` gives the workers a larger young
 * generation, as a worker that runs hundreds of files otherwise spends a tenth of its time on collections of it.
 */
export default {
	testEnvironment: '<rootDir>/libs/testing/src/jest/environment.ts',
	runtime: '<rootDir>/libs/testing/src/jest/runtime.ts',
	roots: [
		'<rootDir>/gateway',
		'<rootDir>/services',
		'<rootDir>/libs',
		'<rootDir>/clients',
		'<rootDir>/tests',
	],
	testMatch: ['**/*.test.ts'],
	testPathIgnorePatterns: ['/node_modules/', ...(selectsFiles ? [] : wholeSystems)],
	transform: {},
	reporters: [
		'default',
		'<rootDir>/libs/testing/src/jest/skipped-reporter.ts',
		'<rootDir>/libs/testing/src/jest/slowest-reporter.ts',
	],
	testSequencer: '<rootDir>/libs/testing/src/jest/sequencer.ts',
	globalSetup: '<rootDir>/libs/testing/src/jest/global-setup.ts',
	globalTeardown: '<rootDir>/libs/testing/src/jest/global-teardown.ts',
	setupFilesAfterEnv: ['<rootDir>/libs/testing/src/jest/each-file.ts'],
	testTimeout: 20_000,
	// Two more than the cores of the machine it is tuned for: many files wait for time limits and processes, and a fifth of the
	// processor time was unused with one more.
	maxWorkers: 4,
	workerIdleMemoryLimit: '1.5GB',
	// To give so much memory back takes longer than Jest's 500 ms on a busy machine. What a test leaves open is reported all the same.
	workerGracefulExitTimeout: 5_000,
};
