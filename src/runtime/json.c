/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * json(text, selector): the value that "a.b[3].c" selects, as it is written in the
 * text; a string without its quotes, its escapes as they are. Null if there is none, or
 * if the text is not JSON as far as it had to be read.
 *
 * One pass over the text. Containers on the way to the value are gone into, one element
 * of the selector each; all others are passed over, counting brackets and minding
 * strings.
 */
#include "runtime/scan.h"

/* The longest selector. */
#define SELECTOR_BYTES 256

enum json_mode {
  JSON_VALUE,     /* before a value */
  JSON_FIRST,     /* before the first value of an array, or its end */
  JSON_KEY,       /* before a key */
  JSON_FIRST_KEY, /* before the first key, or the object's end */
  JSON_IN_KEY,    /* in a key's string */
  JSON_COLON,     /* behind a key */
  JSON_IN_STRING, /* in a value's string */
  JSON_IN_WORD,   /* in a number, or true, false or null */
  JSON_NESTED,    /* in a container that is passed over */
  JSON_NESTED_STRING,
  JSON_AFTER, /* behind a value */
  JSON_FOUND,
  JSON_FAILED
};

#define JSON_ESCAPE                                                 \
  1 /* a backslash has been read; 2 to 5: digits of \u to come, + 1 \
     */

/* In the variables of the working space. The selector is in its string. */
struct json {
  kinst_u64 mode;
  kinst_u64 selected;   /* the value now read is (on the way to) the one wanted */
  kinst_u64 is_array;   /* the container that we are in */
  kinst_u64 index;      /* of the value now read, in an array */
  kinst_u64 wanted;     /* the index wanted, if the selector's element is a number */
  kinst_u64 is_number;  /* whether it is */
  kinst_u64 element;    /* where in the selector the element begins */
  kinst_u64 next;       /* and where the next one does */
  kinst_u64 key_at;     /* how far the key now read equals the element */
  kinst_u64 key_equals; /* whether it does so far */
  kinst_u64 escape;
  kinst_u64 nesting; /* brackets open in a container passed over */
  kinst_u64 begin;   /* of the value, an offset in the scratch */
  kinst_u64 end;
};

KINST_INLINE struct json* json_of(const struct kinst_memory* memory) {
  return (struct json*)(memory->scratch + KINST_WORK_VARIABLES);
}

KINST_INLINE kinst_u8 selector_byte(const struct kinst_memory* memory,
                                    kinst_u64 index) {
  KINST_OPAQUE(index);
  return index < SELECTOR_BYTES ? memory->scratch[KINST_WORK + index] : 0;
}

KINST_INLINE int is_separator(kinst_u8 byte) {
  return byte == '.' || byte == '[' || byte == ']';
}

KINST_INLINE int is_digit(kinst_u8 byte) {
  return byte >= '0' && byte <= '9';
}

/* The selector's byte at an index: 1 if it belongs to the element. */
KINST_FUNCTION kinst_u64 kinst_json_element_byte(kinst_u64 index) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  struct json* json = json_of(&memory);
  const kinst_u8 byte = selector_byte(&memory, index);
  if (byte == 0 || is_separator(byte)) {
    return 0;
  }
  if (is_digit(byte)) {
    json->wanted = json->wanted * 10 + byte - '0';
  } else {
    json->is_number = 0;
  }
  return 1;
}

KINST_FUNCTION kinst_u64 kinst_json_separators(kinst_u64 index) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  /* The whole selector, at most. */
  for (int i = 0; i < SELECTOR_BYTES; ++i) {
    if (!is_separator(selector_byte(&memory, index))) {
      break;
    }
    ++index;
  }
  return index;
}

/* Goes on to the selector's next element. */
KINST_FUNCTION kinst_u64 kinst_json_next(kinst_u64 unused) {
  (void)unused;
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  struct json* json = json_of(&memory);
  json->element = json->next;
  json->wanted = 0;
  json->is_number = 1;
  json->index = 0;
  kinst_u64 index = json->element;
  /* The whole selector, at most. */
  for (int i = 0; i < SELECTOR_BYTES; ++i) {
    if (!kinst_json_element_byte(index)) {
      break;
    }
    ++index;
  }
  json->next = kinst_json_separators(index);
  return 0;
}

KINST_INLINE void fail_json(struct json* json) {
  json->mode = JSON_FAILED;
}

/* A value begins: whether it is selected is known by now. */
KINST_INLINE void begin_value(const struct kinst_memory* memory, struct json* json,
                              kinst_u8 byte, kinst_u64 offset) {
  if (json->is_array) {
    json->selected = json->is_number && json->index == json->wanted;
  }
  const int is_last = selector_byte(memory, json->next) == 0;
  json->begin = offset;
  if (byte == '{' || byte == '[') {
    if (json->selected && !is_last) {
      json->is_array = byte == '[';
      json->mode = json->is_array ? JSON_FIRST : JSON_FIRST_KEY;
      kinst_json_next(0);
      return;
    }
    json->nesting = 1;
    json->mode = JSON_NESTED;
    return;
  }
  if (json->selected && !is_last) {
    fail_json(json); /* there is nothing in it to select */
  } else if (byte == '"') {
    json->begin = offset + 1;
    json->mode = JSON_IN_STRING;
  } else if (is_digit(byte) || byte == '-' || byte == 't' || byte == 'f' ||
             byte == 'n') {
    json->mode = JSON_IN_WORD;
  } else {
    fail_json(json);
  }
}

/* The value that began at json->begin ends in front of an offset. */
KINST_INLINE void end_value(struct json* json, kinst_u64 offset) {
  json->end = offset;
  json->mode = json->selected ? JSON_FOUND : JSON_AFTER;
}

/* A byte in a string. 1 if the string ends with it. */
KINST_INLINE int is_end_of_string(struct json* json, kinst_u8 byte) {
  const kinst_u64 escape = json->escape;
  if (escape == 0) {
    json->escape = byte == '\\' ? JSON_ESCAPE : 0;
    return byte == '"';
  }
  const kinst_u8 lower = byte | 0x20;
  if (escape > JSON_ESCAPE) {
    if (!is_digit(byte) && (lower < 'a' || lower > 'f')) {
      fail_json(json);
    }
    json->escape = escape == JSON_ESCAPE + 1 ? 0 : escape - 1;
  } else if (byte == 'u') {
    json->escape = JSON_ESCAPE + 4;
  } else {
    json->escape = 0;
    if (byte != '"' && byte != '\\' && byte != '/' && byte != 'b' && byte != 'f' &&
        byte != 'n' && byte != 'r' && byte != 't') {
      fail_json(json);
    }
  }
  return 0;
}

/* A key's byte is compared with the selector's. */
KINST_INLINE void compare_key(const struct kinst_memory* memory, struct json* json,
                              kinst_u8 byte) {
  if (selector_byte(memory, json->key_at) != byte) {
    json->key_equals = 0;
  }
  ++json->key_at;
}

KINST_INLINE void end_key(const struct kinst_memory* memory, struct json* json) {
  const kinst_u8 behind = selector_byte(memory, json->key_at);
  json->selected = json->key_equals && (behind == 0 || is_separator(behind));
  json->mode = JSON_COLON;
}

/* true, false, null, or made of what numbers are made of. */
KINST_INLINE int is_word_byte(kinst_u8 first, kinst_u8 byte) {
  if (first == 't' || first == 'f' || first == 'n') {
    return byte >= 'a' && byte <= 'z';
  }
  return is_digit(byte) || byte == '.' || byte == '+' || byte == '-' ||
         (byte | 0x20) == 'e';
}

#define WORD(a, b, c, d) ((a) | (b) << 8 | (c) << 16 | (kinst_u32)(d) << 24)

/* Whether the word from json->begin up to an offset is one of JSON's. */
KINST_INLINE int is_word(const struct kinst_memory* memory, kinst_u64 begin,
                         kinst_u64 end) {
  KINST_OPAQUE(begin);
  if (begin >= KINST_WORK - 8) {
    return 0;
  }
  const kinst_u8* text = memory->scratch + begin;
  if (text[0] != 't' && text[0] != 'f' && text[0] != 'n') {
    return is_digit(text[end - begin > 1 && text[0] == '-']);
  }
  const kinst_u64 length = end - begin;
  const kinst_u32 first_four = (kinst_u32) * (const kinst_word*)text;
  return (length == 4 && (first_four == WORD('t', 'r', 'u', 'e') ||
                          first_four == WORD('n', 'u', 'l', 'l'))) ||
         (length == 5 && first_four == WORD('f', 'a', 'l', 's') && text[4] == 'e');
}

/* Behind a value: the next one, or the container's end, where nothing was found. */
KINST_INLINE void after_value(struct json* json, kinst_u8 byte) {
  if (byte == ',') {
    ++json->index;
    json->mode = json->is_array ? JSON_VALUE : JSON_KEY;
  } else {
    fail_json(json);
  }
}

KINST_INLINE int is_space(kinst_u8 byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* One byte between values, keys and punctuation. */
KINST_INLINE void read_structure(const struct kinst_memory* memory, struct json* json,
                                 kinst_u8 byte, kinst_u64 offset) {
  if (is_space(byte)) {
    return;
  }
  const kinst_u64 mode = json->mode;
  if (mode == JSON_VALUE || (mode == JSON_FIRST && byte != ']')) {
    begin_value(memory, json, byte, offset);
  } else if ((mode == JSON_KEY || mode == JSON_FIRST_KEY) && byte == '"') {
    json->key_at = json->element;
    json->key_equals = 1;
    json->mode = JSON_IN_KEY;
  } else if (mode == JSON_COLON && byte == ':') {
    json->mode = JSON_VALUE;
  } else if (mode == JSON_AFTER) {
    after_value(json, byte);
  } else {
    fail_json(json); /* not JSON, or a container's end */
  }
}

KINST_INLINE void read_nested(struct json* json, kinst_u8 byte, kinst_u64 offset) {
  if (byte == '"') {
    json->mode = JSON_NESTED_STRING;
  } else if (byte == '{' || byte == '[') {
    ++json->nesting;
  } else if (byte == '}' || byte == ']') {
    if (--json->nesting == 0) {
      end_value(json, offset + 1);
    }
  }
}

/* Reads the byte at an offset. 1 when all is decided. */
KINST_FUNCTION kinst_u64 kinst_json_byte(kinst_u64 offset) {
  const struct kinst_memory memory = this_memory();
  KINST_OPAQUE(offset);
  if (!memory.state || offset >= KINST_WORK) {
    return 1;
  }
  struct json* json = json_of(&memory);
  const kinst_u8 byte = memory.scratch[offset];
  if (byte == 0) {
    fail_json(json);
    return 1;
  }
  switch (json->mode) {
    case JSON_IN_KEY:
      if (is_end_of_string(json, byte)) {
        end_key(&memory, json);
      } else {
        compare_key(&memory, json, byte);
      }
      break;
    case JSON_IN_STRING:
      if (is_end_of_string(json, byte)) {
        end_value(json, offset);
      }
      break;
    case JSON_NESTED_STRING:
      if (is_end_of_string(json, byte)) {
        json->mode = JSON_NESTED;
      }
      break;
    case JSON_NESTED:
      read_nested(json, byte, offset);
      break;
    case JSON_IN_WORD: {
      kinst_u64 begin = json->begin;
      KINST_OPAQUE(begin);
      if (begin < KINST_WORK && is_word_byte(memory.scratch[begin], byte)) {
        break;
      }
      if (!is_word(&memory, begin, offset)) {
        fail_json(json);
        break;
      }
      end_value(json, offset);
      if (json->mode == JSON_FOUND) {
        if (!is_space(byte) && byte != ',' && byte != '}' && byte != ']') {
          fail_json(json);
        }
        break;
      }
      read_structure(&memory, json, byte, offset);
      break;
    }
    default:
      read_structure(&memory, json, byte, offset);
      break;
  }
  return json->mode == JSON_FOUND || json->mode == JSON_FAILED;
}

KINST_FUNCTION kinst_u64 kinst_json_piece(kinst_u64 offset) {
  for (kinst_u64 i = 0; i < KINST_PIECE; ++i) {
    if (kinst_json_byte(offset + i)) {
      return 1;
    }
  }
  return 0;
}

KINST_FUNCTION kinst_u64 kinst_json(kinst_u64 text, kinst_u64 selector) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 begin = result_offset(&memory);
  const kinst_s64 length = take_string(&memory, begin, text);
  if (length < 0) {
    return 0;
  }
  const kinst_s64 selector_length = take_string(&memory, KINST_WORK, selector);
  if (selector_length < 0 || selector_length >= SELECTOR_BYTES) {
    return 0;
  }
  struct json* json = json_of(&memory);
  /* The text itself is the one value of a container that needs no selecting. */
  json->mode = JSON_VALUE;
  json->selected = 1;
  json->is_array = 0;
  json->escape = 0;
  json->next = kinst_json_separators(0);
  for (kinst_u64 piece = 0; piece < KINST_PIECES; ++piece) {
    if (kinst_json_piece(begin + piece * KINST_PIECE)) {
      break;
    }
  }
  if (json->mode != JSON_FOUND) {
    return 0;
  }
  kinst_u64 end = json->end;
  KINST_OPAQUE(end);
  if (end >= KINST_WORK) {
    return 0;
  }
  memory.scratch[end] = 0;
  const kinst_u64 address = give_out(&memory, begin, length + 1);
  return address ? address + (json->begin - begin) : 0;
}
