import { fileSetting } from './consul-settings.ts';
import type { SettingRule } from './read-settings.ts';

/** For TLS between the processes, docs/decisions/0046. */
export const tlsSettings = {
	TLS_CERT: fileSetting.describe(
		'File with the certificate (PEM) for connections between gateway, services and other gateways, followed by its intermediate certificates. Its DNS name must be the name of the process in the registry, e.g. `members-service` or `gateway`. With it, services and OPS_PORT require TLS with a client certificate, and all calls to them use it. Replaced files are used within seconds. By default these connections are plain HTTP.',
	),
	TLS_KEY: fileSetting.describe('File with the key (PEM) of TLS_CERT.'),
	TLS_CA: fileSetting.describe(
		'File with the certificates (PEM) of the authorities that issue the certificates of all these processes.',
	),
};

export type TlsVariables = { readonly [Name in keyof typeof tlsSettings]?: string | undefined };

export const tlsRule: SettingRule<TlsVariables> = {
	names: ['TLS_CERT', 'TLS_KEY', 'TLS_CA'],
	isMet: ({ TLS_CERT, TLS_KEY, TLS_CA }) =>
		new Set([TLS_CERT, TLS_KEY, TLS_CA].map((path) => path === undefined)).size === 1,
	message: 'must be set together with TLS_KEY and TLS_CA',
};
