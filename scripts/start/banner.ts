import type { BroughtUp } from './bring-up.ts';
import type { StartConfig } from './config.ts';
import type { DemoSignIns } from './demo-sign-ins.ts';
import { planServices } from './port-plan.ts';

/**
 * The text printed when the system is up. `pages` are the existing pages of the gateway: label → address. `signIns` is
 * undefined without demo accounts, also if they were removed.
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
			planServices(config)
				.map(({ name, portOffset }) => `${name} :${config.port + portOffset}`)
				.join('  '),
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
			'  The demo accounts have been removed. Set ADMIN_EMAIL and ADMIN_PASSWORD to create a first administrator,',
			'  or another DATA_DIR to create new demo data.',
		);
	}
	return [...lines, '', 'Ctrl-C stops everything; the data stays.', ''].join('\n');
}
