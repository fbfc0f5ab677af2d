package dev.sotto.topology.failure;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One thing that a start looks at. The start stops at what is wrong; preflight prints all of it.
 *
 * @param failure as what a start fails; empty where all is well
 * @param subject what was looked at
 * @param found what was found
 * @param needed what is needed; empty where all is well
 * @param fix the command or setting that puts it right; empty where all is well
 */
public record StartFinding(
    Optional<FailureKind> failure, String subject, String found, String needed, String fix) {
  /** Something that is as it must be. */
  public static StartFinding ok(String subject, String found) {
    return new StartFinding(Optional.empty(), subject, found, "", "");
  }

  /** Something that is not. */
  public static StartFinding fault(
      FailureKind failure, String subject, String found, String needed, String fix) {
    return new StartFinding(Optional.of(failure), subject, found, needed, fix);
  }

  /** Whether a start stops at it. */
  public boolean isFault() {
    return failure.isPresent();
  }

  /** What was found, what is needed, and what to do. */
  public String sentence() {
    return subject + ": " + found + "; needed: " + needed + "; " + fix;
  }

  /**
   * Stops at faults, with a line for each of them.
   *
   * @throws SottoException where there is one: {@link UnsafeToContinueException} for those alone
   *     that make it unsafe, else of the kind of the first
   */
  public static void stopAtFaults(List<StartFinding> findings) {
    List<StartFinding> faults = findings.stream().filter(StartFinding::isFault).toList();
    List<StartFinding> unsafe = faults.stream()
        .filter(each -> each.failure.orElseThrow() == FailureKind.REFUSED)
        .toList();
    if (!unsafe.isEmpty()) {
      throw new UnsafeToContinueException(lines(unsafe));
    }
    if (!faults.isEmpty()) {
      throw new SottoException(faults.get(0).failure.orElseThrow(), lines(faults));
    }
  }

  private static String lines(List<StartFinding> findings) {
    return findings.stream()
        .map(StartFinding::sentence)
        .collect(Collectors.joining(System.lineSeparator()));
  }
}
