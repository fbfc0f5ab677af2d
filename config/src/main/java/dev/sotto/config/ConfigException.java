package dev.sotto.config;

import dev.sotto.learner.settings.ConfigError;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used, with everything that is wrong with it. */
public final class ConfigException extends SottoException {
  private static final long serialVersionUID = 1L;

  private final transient List<ConfigError> errors;

  ConfigException(String what, List<ConfigError> errors) {
    super(
        FailureKind.CONFIGURATION,
        what + " has " + (errors.size() == 1 ? "1 error" : errors.size() + " errors")
            + "; nothing was started. Correct, then check with: sotto run --check"
            + errors.stream().map(error -> "\n  " + error.message()).collect(Collectors.joining()));
    this.errors = List.copyOf(errors);
  }

  /** All errors: of the settings in their order, then between settings. */
  public List<ConfigError> errors() {
    return errors;
  }
}
