import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { consulSettings, discoveryRules, kubernetesSettings } from './consul-settings.ts';
import { checkSettings, withRules } from './read-settings.ts';

const schema = withRules(
	z.object({
		...consulSettings,
		DISCOVERY: z.string().optional(),
		SERVICE_INSTANCES: z.string().default(''),
		...kubernetesSettings,
	}),
	discoveryRules,
);
const readable = import.meta.filename;

test.each([
	[{ CONSUL_HTTP_ADDR: 'http://a:8500,b' }],
	[{ CONSUL_HTTP_SSL: 'TRUE', CONSUL_CACERT: readable }],
	[{ CONSUL_CLIENT_CERT: readable, CONSUL_CLIENT_KEY: readable }],
])('%j is valid', (env) => {
	expect(checkSettings(schema, env).violations).toEqual([]);
});

test.each([
	[{ CONSUL_HTTP_ADDR: 'a,,b' }, 'CONSUL_HTTP_ADDR', 'must be HOST:PORT'],
	[{ CONSUL_HTTP_TOKEN_FILE: '/missing' }, 'CONSUL_HTTP_TOKEN_FILE', 'must be the path of a readable file'],
	[{ CONSUL_HTTP_SSL: 'yes' }, 'CONSUL_HTTP_SSL', 'must be true or false'],
	[{ CONSUL_CLIENT_CERT: readable }, 'CONSUL_CLIENT_KEY', 'must be set together with CONSUL_CLIENT_CERT'],
	[{ DISCOVERY: 'dns' }, 'SERVICE_INSTANCES', 'is required with DISCOVERY=dns'],
	[{ DISCOVERY: 'kubernetes' }, 'KUBERNETES_SERVICE_HOST', 'is required with DISCOVERY=kubernetes'],
	[{ DISCOVERY: 'consul' }, 'CONSUL_HTTP_ADDR', 'is required with DISCOVERY=consul'],
])('%j is a violation', (env, name, rule) => {
	expect(checkSettings(schema, env).violations).toMatchObject([
		{ name, rule: expect.stringContaining(rule) },
	]);
});
