package dev.sotto.evaluation.compare;

import dev.sotto.config.SottoConfig;
import dev.sotto.config.settings.GuaranteeLevel;
import java.util.function.Function;

/**
 * A configuration that is yet to be read.
 *
 * @param name unique among all configurations
 * @param file where it is
 * @param load reads it, as it stands or as a reference; throws {@link
 *     dev.sotto.config.ConfigException}
 */
public record ComparedConfig(
    String name, String file, Function<GuaranteeLevel, SottoConfig> load) {}
