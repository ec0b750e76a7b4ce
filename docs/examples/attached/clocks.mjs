// A service in plain Node.js that verifies the gateway's tokens itself.
import { createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:http';

const { GATEWAY = 'http://localhost:8080', PORT = '0' } = process.env;

const server = createServer(async (req, res) => {
	const respond = (status, body) => {
		res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
	};
	if (req.url === '/up') return respond(200, { status: 'UP' });
	const user = await userOf(req.headers.authorization);
	if (user === undefined) return respond(401, { message: 'The token is not valid.' });
	respond(200, { arena: req.url.split('/').at(-1), time: new Date().toISOString(), user });
});

/** The subject of a token that the gateway's keys verify. */
async function userOf(authorization = '') {
	try {
		const [head, body, signature] = authorization.replace('Bearer ', '').split('.');
		const { kid, alg, typ } = parsed(head);
		const { keys } = await (await fetch(`${GATEWAY}/.well-known/jwks.json`)).json();
		const key = createPublicKey({ key: keys.find((each) => each.kid === kid), format: 'jwk' });
		const isSigned = verify('RSA-SHA256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'));
		const { sub, exp } = parsed(body);
		return isSigned && alg === 'RS256' && typ === 'at+jwt' && exp * 1000 > Date.now() ? sub : undefined;
	} catch {
		return undefined;
	}
}

const parsed = (part) => JSON.parse(Buffer.from(part, 'base64url').toString());

server.listen(Number(PORT), '127.0.0.1', () => console.log(`clocks: http://127.0.0.1:${server.address().port}`));
