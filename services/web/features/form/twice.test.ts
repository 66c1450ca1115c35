import { expect, test } from '@jest/globals';
import type { Widget } from '../../schema/widget.ts';
import { unlikeTwice } from './twice.ts';

const widgets = [{ name: 'name' }, { name: 'password', twice: true }] as Widget[];
test.each([
  ['name=a&password=b&_again.password=b', []],
  ['name=a&password=b&_again.password=c', ['password']],
  ['password=b', ['password']],
  ['password=&_again.password=c', ['password']],
  ['password=&_again.password=', []],
  ['', []],
])('%s', (fields, unlike) => expect(unlikeTwice(widgets, new URLSearchParams(fields))).toEqual(unlike));
