package dev.sotto.benchmarks.experiments;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Runs every recipe of a grid, with repetitions, on two threads. The order changes no figure. */
final class RecipeGrid {
  private static final int THREADS = 2;

  /** What is measured of one recipe in one repetition. */
  interface Measurement {
    double[] of(Recipe recipe);
  }

  /**
   * What was measured of one recipe.
   *
   * @param figures by repetition, then by figure
   */
  record Result(Recipe recipe, List<double[]> figures) {
    double mean(int figure) {
      return values(figure).average().orElse(Double.NaN);
    }

    double min(int figure) {
      return values(figure).min().orElse(Double.NaN);
    }

    double max(int figure) {
      return values(figure).max().orElse(Double.NaN);
    }

    private DoubleStream values(int figure) {
      return figures.stream().mapToDouble(each -> each[figure]);
    }
  }

  private RecipeGrid() {}

  /**
   * Runs it.
   *
   * @param repetition makes what one repetition is measured by; only one of them is held at a time
   */
  static List<Result> run(
      String name, List<Recipe> recipes, int repetitions, IntFunction<Measurement> repetition) {
    List<Result> results =
        recipes.stream().map(each -> new Result(each, new ArrayList<>())).toList();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
      Thread thread = new Thread(task, "experiment");
      thread.setDaemon(true);
      return thread;
    });
    try {
      for (int r = 0; r < repetitions; r++) {
        Measurement measurement = repetition.apply(r);
        List<Future<double[]>> futures = recipes.stream()
            .map(each -> threads.submit(() -> measurement.of(each)))
            .toList();
        for (int i = 0; i < futures.size(); i++) {
          results.get(i).figures().add(futures.get(i).get());
          if ((i + 1) % 100 == 0 || i + 1 == futures.size()) {
            System.err.printf(
                "%s: repetition %d of %d, %d of %d%n",
                name, r + 1, repetitions, i + 1, futures.size());
          }
        }
      }
      return results;
    } catch (ExecutionException failed) {
      throw new IllegalStateException("a run failed", failed.getCause());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped", stopped);
    } finally {
      threads.shutdownNow();
    }
  }

  /** The least mean of a figure among some recipes: the best in hindsight. */
  static Result best(List<Result> results, int figure, Predicate<Recipe> among) {
    return results.stream()
        .filter(each -> among.test(each.recipe()))
        .min(Comparator.comparingDouble(each -> each.mean(figure)))
        .orElseThrow(() -> new IllegalArgumentException("there is no such recipe in the grid"));
  }

  /** All combinations of rounds and steps. */
  static List<Recipe> of(
      ExperimentMethod method, NoiseChoice noise, double mu, int[] rounds, double[] steps) {
    return IntStream.of(rounds)
        .boxed()
        .flatMap(t -> Arrays.stream(steps).mapToObj(s -> new Recipe(method, noise, mu, t, s)))
        .toList();
  }
}
