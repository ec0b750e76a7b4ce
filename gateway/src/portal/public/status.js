import { listenToHealth } from './health-stream.js';
import { showHistory } from './history-list.js';
import { createLatencySeries } from './latency-series.js';
import { createServiceCard } from './service-card.js';
import { showState } from './state-mark.js';
import { showDiscovery, showGateway } from './system-facts.js';
import { durationText } from './time-text.js';

// Older than this, what is shown is called old instead of being called true.
const oldSeconds = 5;
const { ops } = document.body.dataset;
const part = (id) => document.getElementById(id);
const series = createLatencySeries();
const cards = new Map();
let token;
let stream;
let receivedAt;
let latest;

part('sign-in').addEventListener('submit', (event) => {
	event.preventDefault();
	const pasted = part('token')
		.value.trim()
		.replace(/^Bearer\s+/i, '');
	token = pasted === '' ? undefined : pasted;
	part('token').value = '';
	start();
});

start();
setInterval(showAge, 500);

function start() {
	stream?.close();
	void loadSamples();
	stream = listenToHealth({ url: `${ops}/health/stream`, token, onHealth: show, onLink: showLink });
}

/** What the gateway has measured before this page was opened. Without it the lines just begin now. */
async function loadSamples() {
	const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
	try {
		const response = await fetch(`${ops}/health/samples`, { headers, cache: 'no-store' });
		if (response.ok) series.load((await response.json()).data);
	} catch {
		// The stream says that the gateway is gone; its next connection loads them again.
	}
}

function show({ health, history, at }) {
	const now = Date.parse(at);
	receivedAt = performance.now();
	latest = health;
	const { discovery, gateway, ...services } = health.components;
	for (const [context, service] of Object.entries(services)) {
		if (service.instances !== undefined) series.add(context, service, now);
		cardOf(context).show(service, series, now);
	}
	for (const context of cards.keys()) if (!(context in services)) forget(context);
	showDiscovery(part('discovery'), discovery);
	showGateway(part('gateway'), gateway);
	showHistory(part('history'), part('no-history'), history);
	askForToken(Object.values(services));
	showAge();
}

function cardOf(context) {
	const known = cards.get(context);
	if (known !== undefined) return known;
	const card = createServiceCard(context);
	cards.set(context, card);
	part('cards').append(card.node);
	return card;
}

function forget(context) {
	cards.get(context).node.remove();
	cards.delete(context);
}

function askForToken(services) {
	const hidden = services.some((service) => service.instances === undefined);
	part('sign-in').hidden = !hidden;
	if (hidden && token !== undefined) {
		part('sign-in-text').textContent =
			'This token shows no details: it has expired, or its owner is neither an officer nor an administrator.';
	}
}

let lost = false;
function showLink(link, why) {
	const words = { connecting: 'Connecting', live: 'Live', lost: 'Connection lost, trying again' };
	const connection = part('connection');
	connection.dataset.live = link;
	connection.textContent = words[link];
	connection.title = why ?? '';
	if (link === 'lost') lost = true;
	if (link === 'live' && lost) {
		lost = false;
		void loadSamples();
	}
}

/** How old the data are; once they are old, nothing green is left of them. */
function showAge() {
	if (receivedAt === undefined) return;
	const seconds = (performance.now() - receivedAt) / 1_000;
	part('age').textContent = `data is ${durationText(Math.floor(seconds))} old`;
	const isOld = seconds > oldSeconds;
	document.body.toggleAttribute('data-old', isOld);
	const status = isOld ? 'UNKNOWN' : latest.status;
	part('banner').dataset.state = status;
	showState(part('overall'), status);
	const headline = isOld ? 'No news from the gateway. What follows may be out of date.' : headlineOf(latest);
	if (part('headline').textContent !== headline) part('headline').textContent = headline;
	document.title = `${status === 'UP' ? '' : `${status} · `}Status · Paddock`;
}

function headlineOf({ status, components }) {
	if (status === 'UP') return 'Everything works.';
	const named = (isMeant) =>
		Object.entries(components)
			.filter(([, component]) => isMeant(component.status))
			.map(([name]) => name)
			.join(', ');
	const down = named((word) => word === 'DOWN');
	const limited = named((word) => word === 'DEGRADED' || word === 'UNKNOWN');
	if (status !== 'DOWN') return `It works, but not all of it: ${[down, limited].filter(Boolean).join(', ')}.`;
	return `Out of order: ${down}.${limited === '' ? '' : ` In trouble: ${limited}.`}`;
}
