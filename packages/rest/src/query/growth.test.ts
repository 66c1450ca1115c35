import { expect, test } from '@jest/globals';
import { typeId } from '@cadastre/model';
import type { Pool } from 'pg';
import { setImmediate as turn } from 'node:timers/promises';
import { tables } from '../testing/town.ts';
import { Growth } from './growth.ts';

const HOUSE = typeId('town.house');

function growing(answer: () => Promise<unknown> = async () => undefined) {
  const asked: string[] = [];
  const pool = {
    query: (text: string) => {
      asked.push(text);
      return answer();
    },
  } as unknown as Pool;
  const growth = new Growth(pool, tables);
  return {
    asked,
    async touch(type: number, id: string, times: number) {
      for (let i = 0; i < times; i++) growth.touched(type, id);
      await turn();
    },
  };
}

test('a table is looked at when much has been written, and again when there is twice as much', async () => {
  const { asked, touch } = growing();
  await touch(HOUSE, '7', 4_999);
  expect(asked).toEqual([]);
  await touch(HOUSE, '7', 1);
  expect(asked).toEqual(['analyze touched', 'analyze "town_house"']);
  await touch(HOUSE, '7', 4_999);
  expect(asked).toHaveLength(2);
  await touch(HOUSE, '7', 1);
  expect(asked).toHaveLength(4);
});

test('all objects of a type count as many, and copies as what they are', async () => {
  const { asked, touch } = growing();
  await touch(HOUSE, '0', 20);
  await touch(typeId('people.person'), '0', 20);
  expect(asked).toEqual(['analyze "town_house"', 'analyze replica."people_person"']);
});

test('what is not kept here is none of its business', async () => {
  const { asked, touch } = growing();
  await touch(12345, '0', 40);
  expect(asked).toEqual([]);
});

test('one that fails is not the last', async () => {
  const { asked, touch } = growing(() => Promise.reject(new Error('read-only')));
  await touch(HOUSE, '0', 20);
  await touch(typeId('people.person'), '0', 20);
  expect(asked).toHaveLength(2);
});
