import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { contexts } from '../../scripts/contexts/contexts.ts';

// Otherwise a migration without new types would leave queries checked against columns that the database does not have.
test('the generated types of tables match the migrated databases', () => {
	const script = fileURLToPath(new URL('../../scripts/database-types.ts', import.meta.url));
	const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--check'], {
		encoding: 'utf8',
		timeout: 60_000,
	});
	expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
	for (const { name } of contexts.filter(({ hasDatabase }) => hasDatabase))
		expect(stdout).toContain(`services/${name}/src/database-schema.generated.ts matches the migrations.`);
}, 90_000);
