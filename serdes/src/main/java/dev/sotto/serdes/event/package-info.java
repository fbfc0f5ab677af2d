/**
 * Turns records of the event topic into slots; start with
 * {@link dev.sotto.serdes.event.EventDecoder}.
 */
package dev.sotto.serdes.event;
