package dev.sotto.app.demo;

/**
 * One event of a recorded stream, ready to be sent. The arrays are not copied: leave them as they
 * are.
 *
 * @param key the record's key in UTF-8, here the privacy unit
 * @param value the record's value, a JSON object in UTF-8
 */
public record StreamEvent(byte[] key, byte[] value) {}
