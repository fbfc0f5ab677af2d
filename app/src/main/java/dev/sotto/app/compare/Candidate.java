package dev.sotto.app.compare;

import dev.sotto.app.config.Protection;
import dev.sotto.app.config.SottoConfig;
import java.util.function.Function;

/**
 * A configuration before it has been read.
 *
 * @param name no other candidate has it
 * @param file where it is
 * @param load reads it, as it stands or as a reference; throws {@link dev.sotto.app.config.ConfigFailure}
 */
public record Candidate(String name, String file, Function<Protection, SottoConfig> load) {}
