import { accessSync, constants } from 'node:fs';
import { falseWords, trueWords } from '@paddock/discovery/consul-access';
import { parseConsulAddresses } from '@paddock/discovery/consul-address';
import { z } from 'zod';
import { integerSetting } from './integer-setting.ts';
import type { SettingRule } from './read-settings.ts';

/** For DISCOVERY=kubernetes; in a pod nothing has to be set. */
export const kubernetesSettings = {
	KUBERNETES_SERVICE_HOST: z
		.string()
		.optional()
		.describe('Host of the API server for DISCOVERY=kubernetes; Kubernetes sets it in each pod.'),
	KUBERNETES_SERVICE_PORT: integerSetting(1, 65_535, 443).describe(
		'Port of the API server; Kubernetes sets it in each pod.',
	),
	KUBERNETES_ACCOUNT_DIR: z
		.string()
		.default('/var/run/secrets/kubernetes.io/serviceaccount')
		.describe(
			'Directory of the service account with token, `ca.crt` and namespace; read for each request, as the token expires.',
		),
};

export const fileSetting = z.string().refine(isReadable, 'must be the path of a readable file').optional();

/** Consul's own variables. https://developer.hashicorp.com/consul/commands#environment-variables */
export const consulSettings = {
	CONSUL_HTTP_ADDR: z
		.string()
		.refine(areConsulAddresses, 'must be HOST:PORT, alone or behind http:// or https://, or a list of them')
		.optional()
		.describe(
			'Address of Consul, for registration and discovery of instances; of several the next one is used when one fails. While no Consul responds there, the process runs and tries again.',
		),
	CONSUL_HTTP_TOKEN: z.string().optional().describe('Token for requests to Consul.'),
	CONSUL_HTTP_TOKEN_FILE: fileSetting.describe(
		'File that contains the token, instead of CONSUL_HTTP_TOKEN; read at the start.',
	),
	CONSUL_HTTP_SSL: z
		.enum([...trueWords, ...falseWords], 'must be true or false')
		.optional()
		.meta({
			description: 'Whether addresses in CONSUL_HTTP_ADDR without a scheme have https.',
			allowed: 'true or false',
		}),
	CONSUL_CACERT: fileSetting.describe(
		'File with the certificates (PEM) of the authorities that may have issued Consul’s certificate; by default the public ones.',
	),
	CONSUL_CLIENT_CERT: fileSetting.describe('File with the client certificate (PEM) for Consul.'),
	CONSUL_CLIENT_KEY: fileSetting.describe('File with the key (PEM) of CONSUL_CLIENT_CERT.'),
	CONSUL_TLS_SERVER_NAME: z
		.string()
		.optional()
		.describe('Name in Consul’s certificate; by default the host in CONSUL_HTTP_ADDR.'),
	CONSUL_NAMESPACE: z
		.string()
		.optional()
		.describe('Namespace of the services in Consul Enterprise; by default that of the token.'),
};

interface DiscoverySettings {
	readonly DISCOVERY?: string | undefined;
	readonly CONSUL_HTTP_ADDR?: string | undefined;
	readonly SERVICE_INSTANCES: string;
	readonly CONSUL_CLIENT_CERT?: string | undefined;
	readonly CONSUL_CLIENT_KEY?: string | undefined;
	readonly KUBERNETES_SERVICE_HOST?: string | undefined;
}

function requiredWith(kind: string, name: keyof DiscoverySettings): SettingRule<DiscoverySettings> {
	return {
		names: [name, 'DISCOVERY'],
		isMet: (settings) => settings.DISCOVERY !== kind || (settings[name] ?? '') !== '',
		message: `is required with DISCOVERY=${kind}`,
	};
}

export const discoveryRules: readonly SettingRule<DiscoverySettings>[] = [
	requiredWith('consul', 'CONSUL_HTTP_ADDR'),
	requiredWith('dns', 'SERVICE_INSTANCES'),
	requiredWith('kubernetes', 'KUBERNETES_SERVICE_HOST'),
	{
		names: ['CONSUL_CLIENT_KEY', 'CONSUL_CLIENT_CERT'],
		isMet: ({ CONSUL_CLIENT_CERT: cert, CONSUL_CLIENT_KEY: key }) =>
			(cert === undefined) === (key === undefined),
		message: 'must be set together with CONSUL_CLIENT_CERT',
	},
];

function areConsulAddresses(text: string): boolean {
	try {
		parseConsulAddresses(text);
		return true;
	} catch {
		return false; // The setting's rule has the format.
	}
}

function isReadable(path: string): boolean {
	try {
		accessSync(path, constants.R_OK);
		return true;
	} catch {
		return false; // The setting's rule says so.
	}
}
