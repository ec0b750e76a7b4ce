import type { BroughtUp } from './bring-up.ts';
import type { StartConfig } from './config.ts';
import type { DemoSignIns } from './demo-sign-ins.ts';

/**
 * What is printed when everything is up. `pages` are those of the gateway that exist: label → address; `signIns` are
 * undefined where they were removed, too.
 */
export function banner(
	config: StartConfig,
	up: BroughtUp,
	pages: readonly (readonly [string, string])[],
	signIns: DemoSignIns | undefined,
): string {
	const rows: (readonly [string, string])[] = [
		['Gateway', up.gatewayUrl],
		...pages,
		['Health', `${up.operationsUrl}/health`],
		[
			'Services',
			config.contexts.map(({ name, portOffset }) => `${name} :${config.port + portOffset}`).join('  '),
		],
		['Registry', up.registry],
		['Database', up.database],
		...(up.note === undefined ? [] : [['', up.note] as const]),
		['Logs', up.logs],
	];
	const lines = ['', 'Paddock is up.', '', ...rows.map(([label, text]) => `  ${label.padEnd(10)}${text}`)];
	if (signIns) {
		lines.push('', `  Demo sign-ins, all with the password "${signIns.password}":`);
		for (const { email, roles } of signIns.users) lines.push(`    ${email.padEnd(26)}${roles.join(', ')}`);
	} else if (config.demo && config.contexts.some(({ name }) => name === 'auth')) {
		lines.push(
			'',
			'  The demo accounts are gone. ADMIN_EMAIL and ADMIN_PASSWORD make a first administrator at the start,',
			'  another DATA_DIR makes a new demo.',
		);
	}
	return [...lines, '', 'Ctrl-C stops everything; the data stays.', ''].join('\n');
}
