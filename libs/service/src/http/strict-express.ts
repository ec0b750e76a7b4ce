import express, { type Express } from 'express';

/** An application that matches paths exactly, leaves queries to the routes and adds no headers of its own. */
export function strictExpress(trustedProxies: readonly string[]): Express {
	const app = express();
	app.disable('x-powered-by');
	app.disable('etag');
	app.set('trust proxy', [...trustedProxies]);
	app.set('case sensitive routing', true);
	app.set('strict routing', true);
	app.set('query parser', false);
	return app;
}

/** Whether an address is one of the application's trusted proxies. */
export function trustedProxyOf(app: Express): (address: string) => boolean {
	const trusts: (address: string, hop: number) => boolean = app.get('trust proxy fn');
	return (address) => trusts(address, 0);
}
