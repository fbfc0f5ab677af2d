package dev.sotto.app.config;

import dev.sotto.serdes.event.EventDecoder;
import java.util.function.Supplier;

/**
 * From event to example.
 *
 * @param dimension coordinates of an example
 * @param text everything that decides what an event becomes, in canonical text
 * @param decoder makes one decoder a task
 */
record Mapping(int dimension, String text, Supplier<EventDecoder> decoder) {}
