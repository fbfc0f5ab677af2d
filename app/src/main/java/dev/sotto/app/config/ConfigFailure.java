package dev.sotto.app.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used, with everything that is wrong with it. */
public final class ConfigFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Fault> faults;

  ConfigFailure(String what, List<Fault> faults) {
    super(what + " has " + (faults.size() == 1 ? "1 fault" : faults.size() + " faults")
        + "; nothing was started. Correct, then check with: sotto run --check"
        + faults.stream().map(fault -> "\n  " + fault.message()).collect(Collectors.joining()));
    this.faults = List.copyOf(faults);
  }

  /** All faults: of the keys in their order, then between keys. */
  public List<Fault> faults() {
    return faults;
  }
}
