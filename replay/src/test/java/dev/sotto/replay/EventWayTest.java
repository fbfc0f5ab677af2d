package dev.sotto.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.OptimizerState;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.topology.settings.Layout;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The way of an event in docs/development/contributing.md is that of the calls that it makes. */
class EventWayTest {
  private static final Path PAGE = Path.of("..", "docs", "development", "contributing.md");
  private static final Pattern STEP = Pattern.compile("^\\d+\\. `(\\w+)`.*");

  private static final String TO_SNAPSHOT = "From the sum to the snapshot";

  /** Goes on with what was left, where reading was stopped for a commit: no step of its own. */
  private static final String LATER = "CatchUpPunctuator";

  @Test
  void isThatOfTheCallsInEachLayout() throws Exception {
    List<String> slots = documented("In layouts direct and ordered");
    assertThat(ways(Layout.DIRECT).gradients()).containsExactly(slots);
    assertThat(ways(Layout.ORDERED).gradients()).containsExactly(slots);
    assertThat(ways(Layout.ROUNDS).gradients()).containsExactly(documented("In layout rounds"));
  }

  @Test
  void leadsFromTheSumToTheOptimizer() throws Exception {
    List<String> steps = documented(TO_SNAPSHOT);
    List<String> calls = new ArrayList<>(List.of("TrainerProcessor", "PartitionTrainer"));
    calls.addAll(steps.subList(0, steps.indexOf("CurrentRound") + 1));
    assertThat(ways(Layout.DIRECT).answers()).containsExactly(calls);
    assertThat(ways(Layout.ORDERED).answers()).containsExactly(calls);
    calls.set(2, "RoundCoordinator");
    assertThat(ways(Layout.ROUNDS).answers()).containsExactly(calls);
  }

  /** In the closed package nothing can be watched from here: each class there holds the next one. */
  @Test
  void leadsThroughTheClosedPackage() throws Exception {
    List<String> steps = documented(TO_SNAPSHOT);
    int last = steps.indexOf("CurrentRound");
    assertThat(steps.subList(last, steps.size())).hasSize(4);
    Class<?> holder = Class.forName("dev.sotto.learner.training.CurrentRound");
    for (String step : steps.subList(last + 1, steps.size())) {
      Class<?> next = Class.forName("dev.sotto.learner.release." + step);
      assertThat(holder.getDeclaredFields())
          .as("%s holds %s", holder.getSimpleName(), step)
          .anyMatch(
              field -> field.getType() != Object.class && field.getType().isAssignableFrom(next));
      holder = next;
    }
  }

  private static List<String> documented(String heading) throws IOException {
    List<String> steps = new ArrayList<>();
    boolean here = false;
    for (String line : Files.readAllLines(PAGE)) {
      here = line.startsWith("#") ? line.equals("### " + heading) : here;
      Matcher step = STEP.matcher(line);
      if (here && step.matches()) {
        steps.add(step.group(1));
      }
    }
    return steps;
  }

  /** The classes on the stack each time that a gradient is computed, or a noisy sum has come. */
  private record Ways(Set<List<String>> gradients, Set<List<String>> answers) {}

  private static Ways ways(Layout layout) throws Exception {
    Ways ways = new Ways(new HashSet<>(), new HashSet<>());
    Loss watched = new Watched(Losses.LOGISTIC.make(), ways.gradients());
    Plan plan = new PlanBuilder()
        .features("test")
        .dimension(Streams.DIMENSION)
        .loss("logistic", watched)
        .algorithm("private-ftrl", "steps", watched(Optimizer.class, Streams.FTRL, ways.answers()))
        .mechanism(Mechanisms.BINARY_TREE.make())
        .clip(1)
        .batch(16)
        .sigma(0.5)
        .adjacency(Adjacency.ZERO_OUT)
        .unit(PrivacyUnit.RECORD)
        .budget(new Budget(1e6, 1e-6))
        .build();
    int partitions = layout == Layout.DIRECT ? 1 : 2;
    new Replay(Streams.settings(layout, plan), Streams.recording(partitions, 80, 1))
        .run(new OutputListener() {});
    return ways;
  }

  /** The same optimizer, or state of one, which notes the way of every answer. */
  private static <T> T watched(Class<T> type, T real, Set<List<String>> ways) {
    return type.cast(Proxy.newProxyInstance(
        EventWayTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
          if (method.getName().equals("tell")) {
            ways.add(way());
          }
          Object result = method.invoke(real, arguments);
          return result instanceof OptimizerState state
              ? watched(OptimizerState.class, state, ways)
              : result;
        }));
  }

  /** The classes of the learner on the stack, the outermost first. */
  private static List<String> way() {
    Deque<String> way = new ArrayDeque<>();
    StackWalker.getInstance().walk(frames -> {
      frames
          .map(StackWalker.StackFrame::getClassName)
          .filter(each -> each.matches("dev\\.sotto\\.(topology|learner)\\..*"))
          .map(each -> each.replaceAll("^.*\\.|\\$.*$", ""))
          .filter(each -> !each.equals(LATER))
          .forEach(each -> {
            if (!each.equals(way.peekFirst())) {
              way.addFirst(each);
            }
          });
      return way;
    });
    return new ArrayList<>(way);
  }

  private record Watched(Loss loss, Set<List<String>> ways) implements Loss {
    @Override
    public double slope(double score, double label) {
      List<String> steps = way();
      steps.add(sumOf(steps.get(steps.size() - 1)));
      ways.add(steps);
      return loss.slope(score, label);
    }

    /** The one class of exact sums to which the class that computes the gradient hands it. */
    private static String sumOf(String last) {
      try {
        Class<?> from = Class.forName("dev.sotto.learner.training." + last);
        return Arrays.stream(from.getDeclaredFields())
            .map(Field::getType)
            .filter(each -> each.getPackageName().equals("dev.sotto.learner.release"))
            .map(Class::getSimpleName)
            .filter(each -> each.endsWith("Sum"))
            .findFirst()
            .orElseThrow();
      } catch (ClassNotFoundException moved) {
        throw new AssertionError(last + " computes gradients, in another package", moved);
      }
    }

    @Override
    public double value(double score, double label) {
      return loss.value(score, label);
    }

    @Override
    public boolean admits(double label) {
      return loss.admits(label);
    }

    @Override
    public double lipschitz() {
      return loss.lipschitz();
    }

    @Override
    public double smoothness() {
      return loss.smoothness();
    }

    @Override
    public double predict(double score) {
      return loss.predict(score);
    }
  }
}
