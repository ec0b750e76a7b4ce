import { expect, test } from '@jest/globals';
import { categoryExamples, disciplinesOfCategory, isCategory } from './category.ts';

test.each([
	['OETO', 'CSN-B'],
	['OETO', 'CDN-A*'],
	['OETO', 'CCN-C'],
	['OETO', 'CSNP-C*'],
	['OETO', 'CSN-C-NEU'],
	['OETO', 'CDN-C-NEU'],
	['FEI', 'CSI3*-W'],
	['FEI', 'CSIO5*'],
	['FEI', 'CDI-W'],
	['FEI', 'CCI4*-L'],
	['FEI', 'CDIU25'],
	['FEI', 'CSIP'],
	['FEI', 'CSICh-A'],
	['FEI', 'CDIYH'],
] as const)('%s knows %s', (ruleset, category) => {
	expect(isCategory(category, ruleset)).toBe(true);
	expect(isCategory(category, ruleset === 'FEI' ? 'OETO' : 'FEI')).toBe(false);
});

test.each(['', 'CSN', 'CSN-D', 'CSN-B**', 'csn-b', 'CXN-A', 'CSI', 'CSI6*', 'CSI3', ' CSN-B', 'CSN-B\n'])(
	'%j is not a category',
	(category) => {
		expect([isCategory(category, 'OETO'), isCategory(category, 'FEI')]).toEqual([false, false]);
	},
);

test('the examples that a refusal shows are categories', () => {
	for (const ruleset of ['OETO', 'FEI'] as const)
		for (const example of categoryExamples[ruleset].split(' or '))
			expect([example, isCategory(example, ruleset)]).toEqual([example, true]);
});

test.each([
	['CSN-B', ['JUMPING']],
	['CDN-A*', ['DRESSAGE', 'PARA_DRESSAGE']],
	['CCI4*-L', ['EVENTING']],
	['CAI2*', ['DRIVING']],
] as const)('%s is about %j', (category, disciplines) => {
	expect(disciplinesOfCategory(category)).toEqual(disciplines);
});
