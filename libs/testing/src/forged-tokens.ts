import {
	createHmac,
	createPublicKey,
	createSign,
	generateKeyPairSync,
	type KeyObject,
	randomUUID,
} from 'node:crypto';
import { publicJwkOf, type SigningKey } from '@paddock/identity';
import { misspelledTokens } from './misspelled-tokens.ts';

export interface ForgedToken {
	/** The flaw. */
	readonly name: string;
	readonly token: string;
	/** False if HTTP can't transmit the text unchanged, or refuses the request before the token is verified. */
	readonly overHttp: boolean;
}

interface ForgeDeps {
	/** The genuine key, which signs all tokens but those with a flawed signature, so that each has one flaw. */
	readonly key: SigningKey;
	readonly issuer: string;
	readonly audience: string;
	readonly now: Date;
}

type Json = Record<string, unknown>;
type Forge = readonly [name: string, token: string];

/** Tokens that must be refused, one for each known attack (RFC 8725 §2, OWASP WSTG-SESS-10). */
export function forgeTokens(deps: ForgeDeps): readonly ForgedToken[] {
	const nowS = Math.floor(deps.now.getTime() / 1000);
	const header: Json = { alg: 'RS256', typ: 'at+jwt', kid: deps.key.kid };
	const claims: Json = {
		iss: deps.issuer,
		aud: deps.audience,
		sub: randomUUID(),
		roles: ['ADMIN'],
		iat: nowS,
		exp: nowS + 900,
		jti: randomUUID(),
		sid: randomUUID(),
	};
	const genuine = (h: Json, payload: unknown) =>
		compact(h, payload, (input) => rs256(input, deps.key.privateKey));
	const flawed: Forge[] = [
		...forgedSignatures(deps.key, header, claims),
		...forgedHeaders(header).map(([name, h]): Forge => [name, genuine(h, claims)]),
		...forgedClaims(nowS, deps.audience).map(
			([name, change]): Forge => [name, genuine(header, { ...claims, ...change })],
		),
		...otherPayloads(claims).map(([name, payload]): Forge => [name, genuine(header, payload)]),
	];
	return [
		...flawed.map(([name, token]) => ({ name, token, overHttp: true })),
		...misspelledTokens(genuine(header, claims)),
	];
}

function forgedSignatures(key: SigningKey, header: Json, claims: Json): Forge[] {
	const publicKey = createPublicKey(key.privateKey);
	const spki = publicKey.export({ type: 'spki', format: 'pem' }).toString();
	const pkcs1 = publicKey.export({ type: 'pkcs1', format: 'pem' }).toString();
	const other = rsaKey(2048);
	const with512 = rsaKey(512);
	const with1024 = rsaKey(1024);
	const hs256 = (secret: string) => (input: string) =>
		createHmac('sha256', secret).update(input).digest('base64url');
	const none = () => '';
	const { kid: _kid, ...jwk } = publicJwkOf(other);
	return [
		['alg none, no signature', compact({ ...header, alg: 'none' }, claims, none)],
		['alg NONE in capitals', compact({ ...header, alg: 'NONE' }, claims, none)],
		[
			'alg none, RS256 signature',
			compact({ ...header, alg: 'none' }, claims, (i) => rs256(i, key.privateKey)),
		],
		['no signature', compact(header, claims, none)],
		['HS256 with the public key (SPKI PEM)', compact({ ...header, alg: 'HS256' }, claims, hs256(spki))],
		['HS256 with the public key (PKCS #1 PEM)', compact({ ...header, alg: 'HS256' }, claims, hs256(pkcs1))],
		['HS256 with an empty secret', compact({ ...header, alg: 'HS256' }, claims, hs256(''))],
		['HS256 signature under RS256', compact(header, claims, hs256(spki))],
		['another key under the same kid', compact(header, claims, (i) => rs256(i, other))],
		['a 512 bit key under the same kid', compact(header, claims, (i) => rs256(i, with512))],
		['a 1024 bit key under the same kid', compact(header, claims, (i) => rs256(i, with1024))],
		['its own key in the header', compact({ ...header, jwk }, claims, (i) => rs256(i, other))],
		[
			'RS512 signature',
			compact({ ...header, alg: 'RS512' }, claims, (i) => rsa('RSA-SHA512', i, key.privateKey)),
		],
		['RS512 signature under RS256', compact(header, claims, (i) => rsa('RSA-SHA512', i, key.privateKey))],
	];
}

function forgedHeaders(header: Json): [string, Json][] {
	const { kid, alg, typ, ...rest } = header;
	const asProto = JSON.parse(
		`{"alg":"RS256","typ":"at+jwt","__proto__":{"kid":${JSON.stringify(kid)}}}`,
	) as Json;
	const kids = [
		'',
		'../x',
		'/dev/null',
		'__proto__',
		'constructor',
		"' OR 1=1 --",
		`${kid} `,
		0,
		[kid],
		{ kid },
	];
	const types = ['JWT', 'refresh+jwt', 'rt+jwt', 'id+jwt', '', 'at+jwt ', 1, ['at+jwt']];
	const algs = ['rs256', 'PS256', 'ES256', '', ['RS256'], null];
	const parameters = {
		crit: ['exp'],
		jku: 'https://keys.example/jwks',
		x5u: 'x',
		x5c: ['x'],
		jwk: null,
		b64: true,
	};
	return [
		...kids.map((value): [string, Json] => [`kid ${JSON.stringify(value)}`, { ...header, kid: value }]),
		['no kid', { ...rest, alg, typ }],
		['kid through __proto__', asProto],
		...types.map((value): [string, Json] => [`typ ${JSON.stringify(value)}`, { ...header, typ: value }]),
		['no typ', { ...rest, alg, kid }],
		...algs.map((value): [string, Json] => [`alg ${JSON.stringify(value)}`, { ...header, alg: value }]),
		['no alg', { ...rest, typ, kid }],
		...Object.entries(parameters).map(([name, value]): [string, Json] => [
			`header parameter ${name}`,
			{ ...header, [name]: value },
		]),
	];
}

/** Changes to the claims; `undefined` omits one. */
function forgedClaims(nowS: number, audience: string): [string, Json][] {
	const clubIds = [randomUUID()];
	const values: Record<string, readonly unknown[]> = {
		iss: [undefined, 'elsewhere', ['paddock'], null, ''],
		aud: [undefined, 'elsewhere', ['elsewhere'], [audience], [audience, 'elsewhere'], null, ''],
		sub: [undefined, 'admin', 1, null, '', '../x', [randomUUID()]],
		roles: [undefined, 'ADMIN', { ADMIN: true }, ['ROOT'], ['MEMBER', 1], [['ADMIN']], null],
		roleScopes: [
			null,
			[],
			'all',
			{ CLUB_OFFICIAL: clubIds },
			{ CLUB_OFFICIAL: { clubIds: '*' } },
			{ CLUB_OFFICIAL: { clubIds: [1] } },
			{ CLUB_OFFICIAL: {} },
			{ ROOT: { clubIds } },
		],
		scope: [null, '', ' ', 'a  b', ' a', 'a ', 'a\tb', 'a"b', 'ä', 1, ['members:lookup'], { a: 1 }],
		memberId: [null, '', 'x', 1],
		guardianOf: [null, '', clubIds[0], [1], ['x'], [clubIds], { ids: clubIds }],
		contactFor: [null, clubIds, [{}], [{ clubId: clubIds[0] }], [{ clubId: '*', memberIds: clubIds }], {}],
		jti: [undefined, 1, null, '', 'x', 'x'.repeat(200), `${randomUUID()}0`],
		sid: [undefined, 1, null, '', 'x', "' OR 1=1 --", `${randomUUID()}0`, `{${randomUUID()}}`],
		accountVersion: [null, -1, 1.5, '1', 1e308, [1]],
		iat: [undefined, `${nowS}`, null, nowS + 0.5, nowS + 120, -1, 1e308],
		exp: [undefined, `${nowS + 900}`, null, nowS + 0.5, nowS + 86_400, 1e308, nowS, -1],
		nbf: [`${nowS}`, nowS + 120, null],
	};
	const changes = Object.entries(values).flatMap(([name, list]) =>
		list.map((value): [string, Json] => [
			value === undefined ? `no ${name}` : `${name} ${JSON.stringify(value)}`,
			{ [name]: value },
		]),
	);
	return [
		...changes,
		['a lifetime of an hour', { iat: nowS - 1800, exp: nowS + 1800 }],
		['expired and for another audience', { iat: nowS - 7200, exp: nowS - 6300, aud: 'elsewhere' }],
	];
}

function otherPayloads(claims: Json): [string, unknown][] {
	return [
		['an array as payload', [claims]],
		['a text as payload', JSON.stringify(claims)],
		['null as payload', null],
		['a number as payload', 1],
		['an empty object as payload', {}],
	];
}

function compact(header: Json, payload: unknown, sign: (input: string) => string): string {
	const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const input = `${encode(header)}.${encode(payload)}`;
	return `${input}.${sign(input)}`;
}

function rs256(input: string, privateKey: KeyObject): string {
	return rsa('RSA-SHA256', input, privateKey);
}

function rsa(algorithm: string, input: string, privateKey: KeyObject): string {
	return createSign(algorithm).update(input).sign(privateKey, 'base64url');
}

function rsaKey(modulusLength: number): KeyObject {
	return generateKeyPairSync('rsa', { modulusLength }).privateKey;
}
