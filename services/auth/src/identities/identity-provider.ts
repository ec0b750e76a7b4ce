import type { Logger } from '@paddock/telemetry';
import type { Configuration, ServerMetadata } from 'openid-client';

/** A person as the identity provider describes them. */
export interface ExternalIdentity {
	readonly issuer: string;
	/** Never changes at the issuer, unlike the address. */
	readonly subject: string;
	readonly email?: string | undefined;
	/** Whether the provider has verified that the address is the person's. */
	readonly emailVerified: boolean;
	readonly givenName?: string | undefined;
	readonly familyName?: string | undefined;
	readonly name?: string | undefined;
	readonly locale?: string | undefined;
}

/** What a response of the provider must match. */
export interface AuthorisationChecks {
	readonly state: string;
	readonly nonce: string;
	readonly codeVerifier: string;
}

/** The external provider: authorisation code flow of OpenID Connect with PKCE, state and nonce (RFC 9700 §2.1.1). */
export interface IdentityProvider {
	/** For its button. */
	readonly name: string;
	/** The address to which the browser is sent. @throws ProviderUnavailableError */
	begin(signal: AbortSignal): Promise<{ readonly url: string } & AuthorisationChecks>;
	/**
	 * Exchanges the code of the provider's response and verifies everything about it: issuer, state, nonce, signature, audience.
	 * @throws ProviderUnavailableError; any other error if the response is refused
	 */
	complete(
		parameters: URLSearchParams,
		checks: AuthorisationChecks,
		signal: AbortSignal,
	): Promise<ExternalIdentity>;
}

export class ProviderUnavailableError extends Error {
	override readonly name = 'ProviderUnavailableError';
}

interface ProviderDeps {
	readonly issuer: string;
	readonly clientId: string;
	readonly clientSecret: string;
	readonly name: string;
	readonly scope: string;
	/** The address of the callback, as registered at the provider. */
	readonly redirectUri: string;
	/** For all requests of one call together. Must be shorter than the gateway's timeout, which counts as a failure of auth. */
	readonly timeoutMs: number;
	readonly now: () => Date;
	readonly logger: Logger;
}

/** After it the metadata is fetched again; the known ones are used meanwhile, and while that fails. */
const metadataMs = 10 * 60_000;
const clockToleranceSeconds = 30;

// Loaded when it is needed first.
const library = () => import('openid-client');

export function createIdentityProvider(deps: ProviderDeps): IdentityProvider {
	const { name, redirectUri, timeoutMs } = deps;
	const metadata = createMetadata(deps);
	const configured = async (signal: AbortSignal): Promise<Configuration> =>
		configurationOf(deps, await metadata(), signal);
	const bounded = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
	return {
		name,
		begin: async (signal) => {
			const config = await configured(bounded(signal));
			const { buildAuthorizationUrl, calculatePKCECodeChallenge, ...random } = await library();
			const checks = {
				state: random.randomState(),
				nonce: random.randomNonce(),
				codeVerifier: random.randomPKCECodeVerifier(),
			};
			const url = buildAuthorizationUrl(config, {
				redirect_uri: redirectUri,
				scope: deps.scope,
				state: checks.state,
				nonce: checks.nonce,
				code_challenge: await calculatePKCECodeChallenge(checks.codeVerifier),
				code_challenge_method: 'S256',
			});
			return { url: url.href, ...checks };
		},
		complete: async (parameters, checks, signal) => {
			const config = await configured(bounded(signal));
			try {
				return await identityOf(config, new URL(`${redirectUri}?${parameters}`), checks);
			} catch (error) {
				throw isOutage(error) ? unavailable(error) : error;
			}
		},
	};
}

async function identityOf(
	config: Configuration,
	url: URL,
	{ state, nonce, codeVerifier }: AuthorisationChecks,
): Promise<ExternalIdentity> {
	const { authorizationCodeGrant, fetchUserInfo } = await library();
	const tokens = await authorizationCodeGrant(config, url, {
		pkceCodeVerifier: codeVerifier,
		expectedState: state,
		expectedNonce: nonce,
		idTokenExpected: true,
	});
	const claims = tokens.claims();
	if (claims === undefined) throw new TypeError('The response has no ID token.');
	// Many providers state the address at the UserInfo endpoint only (OpenID Connect Core §5.4).
	const isComplete = claims['email'] !== undefined || config.serverMetadata().userinfo_endpoint === undefined;
	const more = isComplete ? {} : await fetchUserInfo(config, tokens.access_token, claims.sub);
	const all: Readonly<Record<string, unknown>> = { ...more, ...claims };
	const text = (key: string) => (typeof all[key] === 'string' ? all[key] : undefined);
	return {
		issuer: claims.iss,
		subject: claims.sub,
		email: text('email'),
		emailVerified: all['email_verified'] === true,
		givenName: text('given_name'),
		familyName: text('family_name'),
		name: text('name'),
		locale: text('locale'),
	};
}

/** Of concurrent calls one fetches. A failure is not remembered: the next sign-in tries again. */
function createMetadata(deps: ProviderDeps): () => Promise<ServerMetadata> {
	const { issuer, now, logger } = deps;
	let known: { readonly metadata: ServerMetadata; readonly atMs: number } | undefined;
	let loading: Promise<ServerMetadata> | undefined;
	const load = async (): Promise<ServerMetadata> => {
		const { discovery, allowInsecureRequests, customFetch } = await library();
		const execute = isInsecure(issuer) ? [allowInsecureRequests] : [];
		const signal = AbortSignal.timeout(deps.timeoutMs);
		const options = { execute, [customFetch]: fetchWith(signal) };
		try {
			const config = await discovery(new URL(issuer), deps.clientId, undefined, undefined, options);
			known = { metadata: config.serverMetadata(), atMs: now().getTime() };
		} catch (error) {
			logger.warn('the identity provider could not be discovered', { issuer, error });
			if (known === undefined) throw unavailable(error);
		}
		return known.metadata;
	};
	const refresh = (): Promise<ServerMetadata> => {
		loading ??= load().finally(() => {
			loading = undefined;
		});
		return loading;
	};
	return async () => {
		if (known === undefined) return refresh();
		// Not awaited: a discovery that hangs would use up the time of the sign-in. It does not reject with known metadata.
		if (now().getTime() - known.atMs >= metadataMs) void refresh();
		return known.metadata;
	};
}

/**
 * One for each sign-in: the library caches the provider's keys with it, and would refuse those of a rotation for a minute.
 */
async function configurationOf(
	{ clientId, clientSecret, issuer }: ProviderDeps,
	metadata: ServerMetadata,
	signal: AbortSignal,
): Promise<Configuration> {
	const { ClientSecretBasic, ClientSecretPost, Configuration, ...options } = await library();
	// OpenID Connect Discovery §3: absent means client_secret_basic.
	const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
	const authentication = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost;
	const client = { [options.clockTolerance]: clockToleranceSeconds };
	const config = new Configuration(metadata, clientId, client, authentication(clientSecret));
	if (isInsecure(issuer)) options.allowInsecureRequests(config);
	// Also of tokens that came over TLS: otherwise whoever stands between signs in as anybody.
	options.enableNonRepudiationChecks(config);
	config[options.customFetch] = fetchWith(signal);
	return config;
}

function fetchWith(signal: AbortSignal) {
	return (url: string, options: object): Promise<Response> => {
		const { signal: own } = options as { readonly signal?: AbortSignal };
		return fetch(url, { ...options, signal: own === undefined ? signal : AbortSignal.any([own, signal]) });
	};
}

function isInsecure(issuer: string): boolean {
	return issuer.startsWith('http:');
}

function unavailable(cause: unknown): ProviderUnavailableError {
	return new ProviderUnavailableError('The identity provider does not respond.', { cause });
}

/** Whether the provider is unreachable, too slow or failing, by the chain of causes. */
function isOutage(error: unknown): boolean {
	if (!(error instanceof Error)) return error instanceof Response && error.status >= 500;
	if (['TimeoutError', 'AbortError'].includes(error.name)) return true;
	if (error instanceof TypeError && error.message === 'fetch failed') return true;
	const { status } = error as { readonly status?: unknown };
	if (typeof status === 'number' && status >= 500) return true;
	return error.cause !== undefined && isOutage(error.cause);
}
