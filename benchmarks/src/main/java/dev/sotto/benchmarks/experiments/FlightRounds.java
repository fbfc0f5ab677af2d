package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.topology.settings.LearnerSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Recorded flights as one block, and the algorithms that learn from it in a few synchronous rounds,
 * as a newcomer would configure them. Used in memory and on a broker.
 */
public final class FlightRounds {
  /** Slots that are learned from. */
  public static final int SLOTS = 32_768;

  private static final int TESTED = 32_768;

  private final QualityRun run;
  private final List<byte[]> events;

  private FlightRounds(QualityRun run, List<byte[]> events) {
    this.run = run;
    this.events = events;
  }

  /** What is compared. */
  public enum Contender {
    RESQUE("resque", 8),
    RESQUE_WIDE("resque, wide", 8),
    SRGD("accelerated-dp-srgd", 0),
    FTRL("private-ftrl", 0),
    NORMALISED("sensitivity-reduced-nsgd", 1),
    NORMALISED_PLAIN("sensitivity-reduced-nsgd, fresh gradients", 1),
    /** Its queries are batches of a block, so that it cannot run in layout rounds. */
    CLIPPED_SGD("clipped-sgd", 0);

    private final String label;
    private final int points;

    Contender(String label, int points) {
      this.label = label;
      this.points = points;
    }

    /** The name in tables. */
    public String label() {
      return label;
    }

    /** Whether it runs in layout rounds. */
    public boolean isSynchronous() {
      return this != CLIPPED_SGD;
    }

    /** Gradients of a slot in a block of as many rounds. */
    public int gradients(int rounds) {
      return switch (this) {
        case RESQUE, RESQUE_WIDE -> points * rounds;
        case SRGD -> 2;
        case FTRL, CLIPPED_SGD -> 1;
        case NORMALISED, NORMALISED_PLAIN -> 2 * rounds - 1;
      };
    }

    /** Algorithm, block and rounds, as {@code key=value}. */
    List<String> settings(int rounds) {
      List<String> settings = new ArrayList<>();
      settings.add("algorithm=" + label.split(",")[0]);
      switch (this) {
        case SRGD, FTRL -> {
          settings.add("batch.size=" + SLOTS / rounds);
          settings.add("privacy.horizon.rounds=" + rounds);
          settings.add(VersionKeys.SLOTS + "=1");
          return settings;
        }
        case RESQUE, RESQUE_WIDE -> {
          settings.add("resque.form=pool");
          settings.add("resque.rounds=" + rounds);
        }
        case NORMALISED, NORMALISED_PLAIN -> settings.add("momentum.epochs=" + rounds);
        case CLIPPED_SGD -> {}
      }
      settings.add("block.slots=" + SLOTS);
      if (this == RESQUE_WIDE) {
        settings.add("resque.smoothing=2");
      } else if (this == NORMALISED_PLAIN) {
        settings.add("momentum.share=1");
      }
      return settings;
    }
  }

  /**
   * Reads the flights.
   *
   * @return empty where the recorded data are not on this machine
   * @throws IOException if they cannot be read
   */
  public static Optional<FlightRounds> open() throws IOException {
    Optional<Path> folder = ExperimentFolders.data();
    if (folder.isEmpty()) {
      return Optional.empty();
    }
    QualitySet set = QualitySet.YEAR_B;
    return Optional.of(
        new FlightRounds(new QualityRun(set, folder.get(), List.of()), set.events(folder.get())));
  }

  /** The value of a record: those of the block are from 0 to {@link #SLOTS} - 1. */
  public byte[] event(int place) {
    return events.get(place);
  }

  /**
   * A configuration.
   *
   * @param epsilon of the whole
   * @param rounds of the block, at least 1; ignored where the algorithm's own design decides
   */
  public LearnerSettings learner(Contender contender, double epsilon, int rounds) {
    List<String> settings = new ArrayList<>(contender.settings(rounds));
    settings.add(contender.isSynchronous() ? "layout=rounds" : "layout=direct");
    return run.learner(epsilon, settings);
  }

  /** The mean loss of the flights behind the block. */
  public double loss(Plan plan, double[] weights) {
    return MeanLoss.of(plan.objective(), new StreamPart(run, SLOTS, TESTED), weights)[0];
  }
}
