import { misspelledSettings } from '@paddock/service/misspelled-settings';
import { type Violation, violationText } from '@paddock/service/setting-violation';
import { checkSettings, variablesOf } from '@paddock/service/settings';
import type { z } from 'zod';
import { gatewaySettings } from '../../gateway/src/config/config.ts';
import { settingsOf } from '../contexts/context-modules.ts';
import { contexts, serviceName } from '../contexts/contexts.ts';
import {
	gatewayEnvironment,
	newServiceSecrets,
	serviceEnvironment,
	serviceInstances,
} from './child-environment.ts';
import { inspectConfig, type StartConfig, startSettings } from './config.ts';

export type SettingsReport = Awaited<ReturnType<typeof settingsReport>>;

type Environment = Readonly<Record<string, string | undefined>>;

interface CheckedProcess {
	readonly name: string;
	readonly schema: z.ZodObject;
	readonly environment: Environment;
}

/** Checks the settings of all processes against the environments that they would get. */
export async function settingsReport(env: Environment) {
	const { config, violations: own } = inspectConfig(env);
	const processes = await processesOf(config);
	// A value that the start refuses would be refused again by the processes that inherit it.
	const refused = new Set(own.map(({ name }) => name));
	const named = new Map<string, string[]>();
	const note = (process: string, violation: Violation) => {
		const text = violationText(violation);
		named.set(text, [...(named.get(text) ?? []), process]);
	};
	for (const violation of own) note('npm start', violation);
	for (const { name, schema, environment } of processes) {
		const { violations } = checkSettings(schema, environment);
		for (const violation of violations) if (!refused.has(violation.name)) note(name, violation);
	}
	const { environment: _own, ...settings } = config;
	return {
		config: settings,
		/** Violations of `npm start` and of the processes that it would start: `auth-service: PORT: must be …` */
		violations: [...named].map(([text, names]) => `${namesText(names, processes.length)}: ${text}`),
		/** Variables that resemble a setting of any process. */
		misspelled: misspelledSettings(variablesOf(await allNames()), env).map(violationText),
	};
}

async function processesOf(config: StartConfig): Promise<CheckedProcess[]> {
	const registry = { DISCOVERY: 'static', SERVICE_INSTANCES: serviceInstances(config) };
	const serviceSecrets = newServiceSecrets();
	const services = config.contexts.map(async (context): Promise<CheckedProcess> => {
		// The real address is known when the database runs.
		const databaseUrl = context.hasDatabase ? 'postgres://127.0.0.1/checked' : undefined;
		return {
			name: serviceName(context),
			schema: await settingsOf(context),
			environment: serviceEnvironment(config, { context, portOffset: context.portOffset }, registry, {
				databaseUrl,
				serviceSecrets,
			}),
		};
	});
	const gateway = {
		name: 'gateway',
		schema: gatewaySettings,
		environment: gatewayEnvironment(config, registry),
	};
	return [gateway, ...(await Promise.all(services))];
}

/** Settings of contexts that are not started are settings as well. */
async function allNames(): Promise<string[]> {
	const schemas = [gatewaySettings, ...(await Promise.all(contexts.map(settingsOf)))];
	return [...new Set([...Object.keys(startSettings), ...schemas.flatMap(({ shape }) => Object.keys(shape))])];
}

function namesText(names: readonly string[], count: number): string {
	return names.length === count ? 'all processes' : names.join(', ');
}
