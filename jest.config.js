/** Jest runs ES modules natively (--experimental-vm-modules, see package.json) and SWC only strips the types. */
export default {
	testEnvironment: 'node',
	roots: ['<rootDir>/gateway', '<rootDir>/services', '<rootDir>/libs', '<rootDir>/tests'],
	testMatch: ['**/*.test.ts'],
	extensionsToTreatAsEsm: ['.ts'],
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{ jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
		],
	},
	globalSetup: '<rootDir>/libs/testing/src/jest/global-setup.ts',
	globalTeardown: '<rootDir>/libs/testing/src/jest/global-teardown.ts',
	setupFilesAfterEnv: ['<rootDir>/libs/testing/src/jest/each-file.ts'],
	testTimeout: 20_000,
	maxWorkers: 2,
	// A worker keeps the modules of all of its test files (https://github.com/jestjs/jest/issues/14605): without a limit it
	// slows down and at last runs out of memory. A new one takes over between two files.
	workerIdleMemoryLimit: '1.5GB',
	// To give so much memory back takes longer than Jest's 500 ms on a busy machine. What a test leaves open is reported all the same.
	workerGracefulExitTimeout: 5_000,
};
