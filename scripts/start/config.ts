import { databasePortOffset, type StartedContext, startedContexts } from './contexts.ts';
import { StartError } from './start-error.ts';

/** The settings that the start itself reads; the processes that it starts check their own. */
export interface StartConfig {
	production: boolean;
	/** Where the gateway listens. */
	host: string;
	port: number;
	opsPort?: number;
	opsPrefix: string;
	dataDir: string;
	contexts: readonly StartedContext[];
	postgresUrl?: string;
	consulAddress?: string;
	discovery?: 'consul' | 'static';
	/** Demo data and sign-ins. */
	demo: boolean;
	/** Where programs are looked for. */
	path: string;
	/** What the children inherit of, see child-environment.ts. */
	environment: Environment;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws StartError naming every setting that is not usable. */
export function readConfig(env: Environment = process.env): StartConfig {
	const problems: string[] = [];
	const settings = settingsReader(env, problems);
	const production = settings.oneOf('NODE_ENV', ['production', 'development', 'test']) === 'production';
	const opsPort = settings.integer('OPS_PORT', 65_535);
	const postgresUrl = settings.matching(
		'POSTGRES_URL',
		/^postgres(ql)?:\/\/./,
		'must be an address such as postgres://postgres:password@host:5432/postgres',
	);
	const consulAddress = settings.text('CONSUL_HTTP_ADDR');
	const discovery = settings.oneOf('DISCOVERY', ['consul', 'static']);
	const demo = settings.oneOf('DEMO', ['on', 'off']);
	const config: StartConfig = {
		production,
		host: settings.text('HOST') ?? (production ? '0.0.0.0' : '127.0.0.1'),
		port: settings.integer('PORT', 65_535 - databasePortOffset) ?? 8080,
		opsPrefix: settings.text('OPS_PREFIX') ?? '/actuator',
		dataDir: settings.text('DATA_DIR') ?? '.data',
		contexts: readContexts(settings.text('CONTEXTS'), problems),
		demo: demo === undefined ? !production : demo === 'on',
		path: settings.text('PATH') ?? '',
		environment: env,
		...(opsPort === undefined ? {} : { opsPort }),
		...(postgresUrl === undefined ? {} : { postgresUrl }),
		...(consulAddress === undefined ? {} : { consulAddress }),
		...(discovery === undefined ? {} : { discovery }),
	};
	if (problems.length > 0) throw new StartError(`The settings are not usable: ${problems.join('; ')}`);
	return config;
}

function readContexts(list: string | undefined, problems: string[]): readonly StartedContext[] {
	if (list === undefined) return startedContexts;
	const known = startedContexts.map((context) => context.name);
	const names = list.split(',').map((name) => name.trim());
	if (!names.every((name) => known.includes(name))) {
		problems.push(`CONTEXTS must list some of ${known.join(', ')}`);
	}
	return startedContexts.filter((context) => names.includes(context.name));
}

/** Each of its readers returns undefined for a setting that is absent, empty or, with a problem noted, not usable. */
function settingsReader(env: Environment, problems: string[]) {
	const text = (name: string) => env[name] || undefined;
	const matching = (name: string, pattern: RegExp, rule: string) => {
		const value = text(name);
		if (value === undefined || pattern.test(value)) return value;
		problems.push(`${name} ${rule}`);
		return undefined;
	};
	return {
		text,
		matching,
		integer: (name: string, max: number) => {
			const rule = `must be a whole number from 1 to ${max}`;
			const value = matching(name, /^\d{1,9}$/, rule);
			if (value === undefined) return undefined;
			if (Number(value) >= 1 && Number(value) <= max) return Number(value);
			problems.push(`${name} ${rule}`);
			return undefined;
		},
		oneOf: <Choice extends string>(name: string, choices: readonly Choice[]) => {
			const value = text(name);
			const choice = choices.find((candidate) => candidate === value);
			if (value !== undefined && choice === undefined)
				problems.push(`${name} must be ${choices.join(' or ')}`);
			return choice;
		},
	};
}
