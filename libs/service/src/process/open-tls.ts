import { type MutualTls, openMutualTls } from '@paddock/discovery';
import type { Logger } from '@paddock/telemetry';
import { SettingsError } from '../settings/read-settings.ts';
import type { TlsVariables } from '../settings/tls-settings.ts';

/** @throws SettingsError if the files are not usable */
export async function openTls(
	{ TLS_CERT: cert, TLS_KEY: key, TLS_CA: ca }: TlsVariables,
	deps: { readonly name: string; readonly logger: Logger },
): Promise<MutualTls | undefined> {
	if (cert === undefined || key === undefined || ca === undefined) return undefined;
	return await openMutualTls({ ...deps, files: { cert, key, ca } }).catch((cause: unknown) => {
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new SettingsError([{ name: 'TLS_CERT', rule: `is not usable: ${reason}`, value: cert }], { cause });
	});
}
