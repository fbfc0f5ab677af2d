package dev.sotto.app.quality;

import dev.sotto.app.alias.AliasEditor;
import dev.sotto.app.alias.VersionCheck;
import dev.sotto.client.alias.AliasReader;
import dev.sotto.learner.monitoring.CandidateComparison;
import dev.sotto.learner.monitoring.LossInterval;
import dev.sotto.serdes.record.AliasChange;
import dev.sotto.serdes.record.AliasTarget;
import dev.sotto.serdes.record.ModelAlias;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.settings.CandidateModels;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an alias at the best of several candidates for one model: at the newest version of the one
 * whose loss is lowest at first, and then of whichever is certainly better than the one before. It
 * decides on published metrics and the alias alone, leaves an alias alone that was rolled back or
 * deleted, and one that names something else. To be used by the thread that follows the metrics.
 */
public final class CandidateGate implements MetricsFollower.Listener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CandidateGate.class);
  private static final Duration AT_ONCE = Duration.ofMillis(1);

  /** A new version of the same candidate is named no more often: an alias is read by many. */
  private static final long FOLLOWING_MILLIS = 60_000;

  private final String alias;
  private final AliasReader aliases;
  private final AliasEditor editor;
  private final VersionCheck versions;
  private final Predicate<String> learnsHere;
  private final LongSupplier clock;
  private final CandidateComparison comparison;
  private final Map<String, byte[]> runs = new HashMap<>();
  private long followed = Long.MIN_VALUE;
  private AliasTarget refused;

  /**
   * A gate before one alias.
   *
   * @param clients Kafka client settings
   * @param models candidates, and the id of the model that they are for
   * @param learnsHere whether a model is learned by this instance: one of several acts
   */
  public CandidateGate(
      Map<String, String> clients,
      String app,
      String alias,
      Models models,
      Predicate<String> learnsHere) {
    this.alias = alias;
    this.aliases = new AliasReader(clients, app);
    this.editor = new AliasEditor(clients, app);
    this.versions = new VersionCheck(clients, app);
    this.learnsHere = learnsHere;
    this.clock = System::currentTimeMillis;
    this.comparison = models.comparison();
  }

  /** The candidates for one model. */
  public record Models(String modelId, CandidateModels candidates) {
    /** Their comparison: by loss where all have the same one. */
    CandidateComparison comparison() {
      List<String> losses = candidates.all().stream()
          .map(each -> each.plan().lossName())
          .distinct()
          .toList();
      return new CandidateComparison(candidates.idsOf(modelId), losses.size() == 1);
    }
  }

  @Override
  public void window(ModelMetrics window) {
    byte[] before = runs.put(window.modelId(), window.runId());
    if (before != null && !Arrays.equals(before, window.runId())) {
      comparison.restart(window.modelId());
    }
    comparison.accept(window.modelId(), window.noisy());
  }

  @Override
  public void caughtUp() {
    Map<String, LossInterval> losses = comparison.losses();
    if (losses.isEmpty()) {
      return;
    }
    aliases.poll(AT_ONCE);
    Optional<ModelAlias> present = Optional.ofNullable(aliases.aliases().get(alias));
    next(present, losses)
        .filter(target -> !target.equals(refused))
        .filter(target -> learnsHere.test(target.modelId()))
        .ifPresent(target -> carryOut(present, target, losses));
  }

  private Optional<AliasTarget> next(
      Optional<ModelAlias> present, Map<String, LossInterval> losses) {
    if (present.isEmpty()) {
      return comparison.lowest().map(best -> target(best, losses));
    }
    Optional<AliasTarget> now = present.get().target();
    if (present.get().newest().isRollback()
        || now.isEmpty()
        || !losses.containsKey(now.get().modelId())) {
      return Optional.empty();
    }
    String model = now.get().modelId();
    Optional<String> better = comparison.better(model);
    AliasTarget target = target(better.orElse(model), losses);
    boolean due = better.isPresent() || clock.getAsLong() - FOLLOWING_MILLIS >= followed;
    return due && !target.equals(now.get()) && !present.get().isAbandoned(target)
        ? Optional.of(target)
        : Optional.empty();
  }

  private AliasTarget target(String model, Map<String, LossInterval> losses) {
    return new AliasTarget(model, runs.get(model), losses.get(model).lastRound());
  }

  private void carryOut(
      Optional<ModelAlias> decidedOn, AliasTarget target, Map<String, LossInterval> losses) {
    try {
      versions.again(target);
      long number = decidedOn.map(each -> each.newest().number()).orElse(0L);
      String note = note(losses);
      editor.edit(
          alias,
          found -> found.map(each -> each.newest().number()).orElse(0L) == number
              ? Optional.of(found
                  .map(each -> each.set(target, AliasChange.GATE, note))
                  .orElseGet(() -> ModelAlias.first(alias, target, AliasChange.GATE, note)))
              : Optional.empty());
      LOG.debug("candidates: alias {} names {}: {}", alias, target, note);
      followed = clock.getAsLong();
      aliases.readToEnd(); // its own change, so that it does not decide on what was before
    } catch (SottoException failed) {
      refused = target; // until the next window
      LOG.warn("candidates: alias {} stays where it is: {}", alias, failed.getMessage());
    }
  }

  private String note(Map<String, LossInterval> losses) {
    StringBuilder note = new StringBuilder();
    losses.forEach((model, loss) -> {
      note.append(
          note.isEmpty()
              ? String.format(
                  Locale.ROOT,
                  "%s in rounds %d-%d: ",
                  comparison.measure(),
                  loss.firstRound(),
                  loss.lastRound())
              : "; ");
      note.append(String.format(
          Locale.ROOT, "%s %.4f (%.4f to %.4f)", model, loss.mean(), loss.low(), loss.high()));
    });
    return note.toString();
  }

  @Override
  public void close() {
    aliases.close();
  }
}
