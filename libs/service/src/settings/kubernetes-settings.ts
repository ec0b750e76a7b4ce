import { z } from 'zod';
import { integerSetting } from './integer-setting.ts';

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
