import { successEnvelope } from '@paddock/contract';
import express, { type Router } from 'express';
import type { Context } from '../contexts.ts';
import { exchangeOf } from '../exchange.ts';
import type { BuildInfo } from './build-info.ts';

export interface InfoPageDeps {
	readonly build: BuildInfo;
	readonly contexts: readonly Context[];
	readonly now: () => Date;
}

/** `/info`: what is running, and since when. */
export function infoPage(prefix: string, { build, contexts, now }: InfoPageDeps): Router {
	const router = express.Router({ caseSensitive: true, strict: true });
	router.get(`${prefix}/info`, (req, res) => {
		exchangeOf(req).route = `${prefix}/info`;
		const data = {
			...build,
			contexts: contexts.map(({ name, prefix: url, critical }) => ({ name, url, critical })),
			uptimeSeconds: Math.round(process.uptime()),
		};
		res.setHeader('Cache-Control', 'no-store');
		res.json(successEnvelope(data, 'What is running', now()));
	});
	return router;
}
