package dev.sotto.learner.mechanism;

import dev.sotto.learner.participation.ColumnDecay;
import dev.sotto.learner.participation.ContributionBound;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How noise hides contributions, and what that costs. There are two families: {@link
 * PrefixMechanism} adds noise to prefix sums of rounds, {@link QueryMechanism} to what the queries
 * of an algorithm are answered. Everything that depends on the mechanism is a method here or there.
 *
 * <p>Sensitivities are for noise of standard deviation 1 and one participation. Only this package
 * has mechanisms: a guarantee rests on what they say of themselves.
 */
public abstract sealed class Mechanism permits PrefixMechanism, QueryMechanism {
  Mechanism() {}

  /** The name in configurations and ledgers. */
  public abstract String name();

  /**
   * The parameters in one canonical line, empty where there are none: part of fingerprints and
   * ledger entries.
   */
  public String parameters() {
    return "";
  }

  /**
   * The name of the parameter set that {@link Mechanisms#sets} lists, empty where these parameters
   * have none.
   */
  public String set() {
    return "";
  }

  /** Up to how many rounds its noise is least; empty where it serves streams of any length. */
  public OptionalLong horizon() {
    return OptionalLong.empty();
  }

  /** This one, where it adds noise to prefixes. */
  public abstract Optional<PrefixMechanism> ofPrefixes();

  /** This one, where it adds noise to what queries are answered. */
  public abstract Optional<QueryMechanism> ofQueries();

  /**
   * What one participation costs by a number of rounds (at least 1), in units of s / sigma; under
   * noise of prefixes the largest l2 norm of a column of C.
   */
  public abstract double sensitivity(long rounds);

  /**
   * The limit of {@link #sensitivity(long)} for an endless stream; infinite where there is none.
   */
  public abstract double sensitivityLimit();

  /**
   * The same of the worst schedule that a bound admits, {@code ||C u||}; never less than the truth
   * (docs/privacy.md, "Contribution bounds").
   */
  public abstract double sensitivity(long rounds, ContributionBound bound);

  /**
   * The limit of {@link #sensitivity(long, ContributionBound)} for an endless stream; infinite
   * where there is none.
   */
  public abstract double sensitivityLimit(ContributionBound bound);

  /**
   * How one participation enters later rows, for the budget per unit; empty where that rule does
   * not apply.
   */
  public Optional<ColumnDecay> memory() {
    return Optional.empty();
  }

  /**
   * Whether the guarantee is a pure epsilon, {@code s / sigma} per participation, rather than a mu.
   * Sensitivities then count participations, s is an l1 bound, and sigma is the scale of Laplace
   * noise.
   */
  public boolean isPure() {
    return false;
  }

  /**
   * What one participation enters by secret coins; empty where it enters sums for certain. The
   * guarantee is then the composition of all of these, by the distribution of the privacy loss, and
   * sensitivities say what it would be without sampling.
   */
  public List<SampledSums> sampledSums() {
    return List.of();
  }

  /**
   * The largest probability with which one participation moves what is released by more than its
   * noise counts with; 0 where it never does. It is charged to delta.
   */
  public double failure() {
    return 0;
  }

  /** Whether costs of several models add up in squares of mu, so that they can be candidates. */
  public boolean composes() {
    return false;
  }

  /**
   * Bytes of the noise's own state by a number of rounds, at most.
   *
   * @param dimension coordinates, at least 1
   */
  public abstract long stateBytes(long dimension, long rounds);

  /** Whether what it is to do is written out from its definition, so that an audit can check it. */
  public boolean audits() {
    return true;
  }

  /** How an audit has to look at it. */
  public AuditTerms auditTerms() {
    return AuditTerms.SUMS;
  }

  /** What an algorithm receives. */
  public Released released() {
    return Released.PREFIX;
  }

  /**
   * Why a table of several mechanisms cannot compare its figures with those of the others, in lines
   * that go on from its name; none where they compare.
   */
  public List<String> remarks() {
    return List.of();
  }

  /** Bytes of the noisy sum that goes on from round to round. */
  public abstract long sumBytes(long dimension);

  /** Bytes of {@link #stateBytes} that can be drawn again instead of being read. */
  public abstract long redrawnBytes(long dimension, long rounds);

  /** What sigma is the noise of, in words. */
  public abstract String noised();

  /** A plan's rounds in words, such as {@code rounds of 64 slots}. */
  public String rounds(long slots) {
    return "rounds of " + slots + " slots";
  }

  /** The norm in which the gradients of one round are clipped, and s is counted. */
  public final GradientNorm norm() {
    return isPure() ? GradientNorm.L1 : GradientNorm.L2;
  }
}
