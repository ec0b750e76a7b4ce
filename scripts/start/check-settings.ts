import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { StartConfig } from './config.ts';
import { nodeArguments, nodeEnvironment, projectRoot } from './node-process.ts';
import type { SettingsReport } from './settings-report.ts';
import { StartError } from './start-error.ts';

/**
 * Reads the settings of the start and checks those of all processes before any of them is started, and reports misspelled
 * ones. In a process of its own: the start would keep the schemas and their library in memory.
 * @throws StartError listing every violation.
 */
export async function checkSettings(
	report: (line: string) => void,
	signal: AbortSignal,
): Promise<StartConfig> {
	const child = spawn(process.execPath, [...nodeArguments, 'scripts/start/print-settings-report.ts'], {
		cwd: projectRoot,
		env: nodeEnvironment(process.env),
		stdio: ['ignore', 'pipe', 'pipe'],
		signal,
		killSignal: 'SIGKILL',
	});
	const [output, errors, [code]] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, 'exit'),
	]);
	if (code !== 0) throw new Error(`the settings could not be checked: ${errors}`);
	const { config, violations, misspelled } = JSON.parse(output) as SettingsReport;
	if (violations.length > 0) {
		throw new StartError('The settings are not usable:', { details: [...violations, ...misspelled] });
	}
	for (const line of misspelled) report(line);
	return { ...config, environment: process.env };
}
