package dev.sotto.testkit.faults;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs test classes of the short suite until one of them fails, and says which. */
final class ClassRun {
  /** Nothing failed. */
  static final int GREEN = 0;

  /** No test was run. */
  static final int NONE = 3;

  /** Something failed: a line with the class and one with its message are printed. */
  static final int RED = 1;

  /** A line that begins with this names a test that failed. */
  static final String FAILED = "FAILED ";

  private ClassRun() {}

  /** The first argument is the folder of test classes, of which all are run where no other follows. */
  public static void main(String[] arguments) {
    List<DiscoverySelector> selectors = arguments.length == 1
        ? List.copyOf(selectClasspathRoots(Set.of(Path.of(arguments[0]))))
        : Arrays.stream(arguments)
            .skip(1)
            .<DiscoverySelector>map(each -> selectClass(each))
            .toList();
    LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
        .selectors(selectors)
        .filters(ClassNameFilter.includeClassNamePatterns(".*Test"), TagFilter.excludeTags("long"))
        .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
        .configurationParameter("junit.jupiter.execution.timeout.default", "4 m")
        .build();
    CancellationToken first = CancellationToken.create();
    FirstFailure failure = new FirstFailure(first);
    LauncherFactory.create()
        .execute(LauncherExecutionRequestBuilder.request(request)
            .listeners(failure)
            .cancellationToken(first)
            .build());
    System.exit(failure.found ? RED : failure.tests == 0 ? NONE : GREEN); // threads may be left
  }

  private static final class FirstFailure implements TestExecutionListener {
    private final CancellationToken rest;
    private boolean found;
    private int tests;

    FirstFailure(CancellationToken rest) {
      this.rest = rest;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      tests += test.isTest() ? 1 : 0;
      if (result.getStatus() == TestExecutionResult.Status.FAILED && !found) {
        found = true;
        String message = String.valueOf(result.getThrowable().orElse(null));
        System.out.println(FAILED + place(test) + "\n"
            + message.lines().filter(each -> !each.isBlank()).findFirst().orElse(""));
        rest.cancel();
      }
    }

    private static String place(TestIdentifier test) {
      return test.getSource()
          .map(each -> each instanceof MethodSource method
              ? method.getJavaClass().getSimpleName() + "." + method.getMethodName()
              : each instanceof ClassSource of ? of.getJavaClass().getSimpleName() : null)
          .orElse(test.getDisplayName());
    }
  }
}
