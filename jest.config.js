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
};
