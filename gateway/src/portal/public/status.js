import { createAdministration } from './administration.js';
import { showBanner } from './banner.js';
import { place } from './element.js';
import { createGatewayList } from './gateway-list.js';
import { listenToHealth } from './health-stream.js';
import { showHistory } from './history-list.js';
import { incidentsOf, severityOf } from './incidents.js';
import { createLatencySeries } from './latency-series.js';
import { createOverrideDialog } from './override-dialog.js';
import { showRefusals } from './refusal-list.js';
import { createServiceCard } from './service-card.js';
import { createStepUpDialog } from './step-up-dialog.js';
import { createDiscoveryCard, createGatewayCard } from './system-facts.js';
import { durationText, instantText } from './time-text.js';
import { createTotals } from './totals.js';

// The gateway sends health every second; older data may no longer be true.
const oldSeconds = 5;
const { ops } = document.body.dataset;
const part = (id) => document.getElementById(id);
const series = createLatencySeries();
const cards = new Map();
const discoveryCard = createDiscoveryCard();
const gatewayCard = createGatewayCard();
const totals = createTotals();
const overrides = createOverrideDialog(sendOverride);
const gateways = createGatewayList({
	url: `${ops}/gateways`,
	section: part('other-gateways'),
	list: part('gateway-list'),
});
let token;
let mayOverride = false;
let stream;
let receivedAt;
let latest;
let incidents = [];
let traffic;
let trafficTimer;

const administration = createAdministration(({ token: next, isAdministrator }) => {
	token = next;
	mayOverride = isAdministrator;
	for (const card of cards.values()) card.allowOverrides(mayOverride);
	start();
});
const stepUp = createStepUpDialog(administration.stepUp);
document.body.append(overrides.node, stepUp.node);
part('totals').append(totals.node);

start();
setInterval(showAge, 500);

function start() {
	stream?.close();
	void loadSamples();
	void loadTraffic();
	stream = listenToHealth({ url: `${ops}/health/stream`, token, onHealth: show, onLink: showLink });
}

/** Loads the latencies from before the page was opened. */
async function loadSamples() {
	const samples = await read(`${ops}/health/samples`);
	if (samples !== undefined) series.load(samples);
}

/** Loads the traffic, and again after each of the gateway's intervals while the page is visible. */
async function loadTraffic() {
	clearTimeout(trafficTimer);
	const loaded = document.hidden ? undefined : await read(`${ops}/traffic`);
	clearTimeout(trafficTimer);
	trafficTimer = setTimeout(loadTraffic, loaded?.intervalMs ?? 10_000);
	traffic = loaded ?? traffic;
	if (traffic === undefined) return;
	for (const [context, card] of cards) card.showTraffic(traffic.contexts[context] ?? [], traffic);
	totals.showTraffic(traffic);
	showRefusals(part('refusals'), part('no-refusals'), traffic.refusals);
}

/** The data of a page of the gateway; undefined without a response, which the stream shows as well. */
async function read(path) {
	try {
		const response = await fetch(path, { headers: authorization(), cache: 'no-store' });
		return response.ok ? (await response.json()).data : undefined;
	} catch {
		return undefined;
	}
}

function authorization() {
	return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

/**
 * Asks for the second factor if it is needed, where users can sign in.
 * @throws Error with the message of the refusal
 */
async function sendOverride(override) {
	const first = await postOverride(override);
	const asks = first.code === 'STEP_UP_REQUIRED' && administration.canStepUp;
	const { ok, message } = asks && (await stepUp.confirm()) ? await postOverride(override) : first;
	if (!ok) throw new Error(message);
	part('access-note').textContent = `${override.context}: ${message}`;
}

async function postOverride({ context, action, instance, ...body }) {
	const query = instance === undefined ? '' : `?instance=${encodeURIComponent(instance)}`;
	const response = await fetch(`${ops}/breakers/${context}/${action}${query}`, {
		method: 'POST',
		headers: { ...authorization(), Accept: 'application/json', 'Content-Type': 'application/json' },
		body: JSON.stringify(body),
	});
	const { message, data } = await response.json();
	return { ok: response.ok, message, code: data?.code };
}

function show({ health, history, at }) {
	const now = Date.parse(at);
	receivedAt = performance.now();
	latest = { health, now };
	incidents = incidentsOf(health, history);
	part('clock').textContent = instantText(now);
	const { discovery, gateway, ...services } = health.components;
	for (const [context, service] of Object.entries(services)) {
		if (service.instances !== undefined) series.add(context, service, now);
		cardOf(context).show(service, series, now);
	}
	for (const context of cards.keys()) if (!(context in services)) cards.delete(context);
	discoveryCard.show(discovery);
	gatewayCard.show(gateway);
	placeCards(services, discovery, gateway);
	totals.showHealth(services);
	void gateways.update(gateway.otherGateways, token);
	showHistory(part('history'), part('no-history'), history);
	const hidden = Object.values(services).some((service) => service.instances === undefined);
	administration.requestDetails(hidden, token !== undefined);
	showAge();
}

/** The worst first, otherwise in the order of the deployment. */
function placeCards(services, discovery, gateway) {
	const all = [
		...Object.entries(services).map(([context, health]) => [cardOf(context), health]),
		[discoveryCard, discovery],
		[gatewayCard, gateway],
	];
	const weight = ({ status, critical }) =>
		2 * severityOf(status) + (status !== 'UP' && critical !== false ? 1 : 0);
	const sorted = all.toSorted(([, one], [, other]) => weight(other) - weight(one));
	place(
		part('cards'),
		sorted.map(([card]) => card.node),
	);
}

function cardOf(context) {
	const known = cards.get(context);
	if (known !== undefined) return known;
	const card = createServiceCard(context, overrides.open);
	card.allowOverrides(mayOverride);
	if (traffic !== undefined) card.showTraffic(traffic.contexts[context] ?? [], traffic);
	cards.set(context, card);
	return card;
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

/** Shows the age of the data; old data have no green marks. */
function showAge() {
	if (receivedAt === undefined) return;
	const seconds = (performance.now() - receivedAt) / 1_000;
	part('age').textContent = `data is ${durationText(Math.floor(seconds))} old`;
	const isOld = seconds > oldSeconds;
	document.body.toggleAttribute('data-old', isOld);
	const now = latest.now + seconds * 1_000;
	const { status } = isOld ? { status: 'UNKNOWN' } : latest.health;
	showBanner(status, isOld ? [silence(now - seconds * 1_000)] : incidents, now);
	document.title = `${status === 'UP' ? '' : `${status} · `}Status · Paddock`;
}

function silence(since) {
	return {
		summary: 'The gateway does not respond. The data below may be out of date.',
		contexts: [],
		since,
		runbook: 'GatewayDown',
	};
}
