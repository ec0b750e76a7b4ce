import { resolveSecretFiles } from '@paddock/service/secret-files';
import { violationText } from '@paddock/service/setting-violation';

/**
 * The database of one context from the environment of its service: MIGRATION_DATABASE_URL, otherwise DATABASE_URL, each
 * alone or in a file. @throws Error with the files that can't be used
 */
export function urlOfEnvironment(): string | undefined {
	const { env, violations } = resolveSecretFiles(['MIGRATION_DATABASE_URL', 'DATABASE_URL'], process.env);
	if (violations.length > 0) throw new Error(violations.map(violationText).join('\n'));
	const { MIGRATION_DATABASE_URL: direct, DATABASE_URL: url } = env;
	return direct || url || undefined;
}
