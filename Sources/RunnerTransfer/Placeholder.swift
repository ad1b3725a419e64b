import RunnerJob
